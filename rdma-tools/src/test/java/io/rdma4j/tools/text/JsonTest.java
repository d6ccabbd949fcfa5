package io.rdma4j.tools.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
    @Test
    void keepsTheOrderOfAMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("z", 1);
        map.put("a", List.of(true, 2L, "x"));
        map.put("m", Map.of());

        assertThat(Json.write(map)).isEqualTo("{\"z\":1,\"a\":[true,2,\"x\"],\"m\":{}}");
    }

    @Test
    void escapesWhatMayNotStandInAString() {
        assertThat(Json.write("a\"b\\c\n\u0001é")).isEqualTo("\"a\\\"b\\\\c\\u000a\\u0001é\"");
        assertThat(Json.write("\uD83D\uDE00")).isEqualTo("\"\\ud83d\\ude00\"");
    }

    @Test
    void writesNullForWhatJsonHasNoWordFor() {
        assertThat(Json.write(Arrays.asList(null, Double.NaN, Double.POSITIVE_INFINITY, 1.5)))
                .isEqualTo("[null,null,null,1.5]");
    }
}
