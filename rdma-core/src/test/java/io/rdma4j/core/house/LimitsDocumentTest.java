package io.rdma4j.core.house;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.qp.DeviceLimit;
import io.rdma4j.core.qp.DeviceLimits;
import io.rdma4j.core.qp.DeviceProfile;
import io.rdma4j.core.qp.EngineLimits;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/limits.md says what {@link EngineLimits} says: a limit that users cannot look up is a surprise in waiting. */
class LimitsDocumentTest {
    /** A row of the table: the constant's name and its value in digits, with commas for reading. */
    private static final Pattern ROW = Pattern.compile("^\\| `([A-Z_]+)` \\| ([0-9,]+) \\|", Pattern.MULTILINE);

    /** A row of the table of profiles: the field's name and a figure for each profile. */
    private static final Pattern PROFILE_ROW = Pattern.compile(
            "^\\| `([a-z_]+)` \\| ((?:[0-9,]+ \\| ){" + DeviceProfile.values().length + "})", Pattern.MULTILINE);

    @Test
    void theDocumentHasEveryLimitAndNoOther() throws Exception {
        assertThat(documented()).isEqualTo(defined());
    }

    /** Each device limit with its figure in every profile, by the names that programs and options use. */
    @Test
    void theDocumentHasEveryDeviceLimitInEveryProfile() throws IOException {
        Map<String, List<Long>> documented = new TreeMap<>();
        Matcher row = PROFILE_ROW.matcher(Files.readString(SourceTree.root().resolve("docs/limits.md")));
        while (row.find()) {
            documented.put(
                    row.group(1),
                    Stream.of(row.group(2).split(" \\| "))
                            .map(figure -> Long.parseLong(figure.replace(",", "")))
                            .toList());
        }
        Map<String, List<Long>> defined = new TreeMap<>();
        for (DeviceLimit limit : DeviceLimit.values()) {
            defined.put(
                    limit.text(),
                    Stream.of(DeviceProfile.values())
                            .map(profile -> DeviceLimits.of(profile).maxLong(limit))
                            .toList());
        }
        assertThat(documented).isEqualTo(defined);
    }

    private static Map<String, Long> documented() throws IOException {
        Map<String, Long> rows = new TreeMap<>();
        Matcher row = ROW.matcher(Files.readString(SourceTree.root().resolve("docs/limits.md")));
        while (row.find()) {
            rows.put(row.group(1), Long.parseLong(row.group(2).replace(",", "")));
        }
        return rows;
    }

    private static Map<String, Long> defined() throws IllegalAccessException {
        Map<String, Long> limits = new TreeMap<>();
        for (Field field : EngineLimits.class.getFields()) {
            // Not a bound but a mark: "nothing is due".
            if (!field.getName().equals("NO_DEADLINE")) {
                limits.put(field.getName(), ((Number) field.get(null)).longValue());
            }
        }
        return limits;
    }
}
