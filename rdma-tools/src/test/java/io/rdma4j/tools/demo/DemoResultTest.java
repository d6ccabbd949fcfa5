package io.rdma4j.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.tools.demo.DemoStep.Measured;
import io.rdma4j.tools.text.Json;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoResultTest {
    private static final DemoStep RIGHT = new DemoStep("a", true, "seen", Measured.single(1_000, 1_000_000));
    private static final DemoStep WRONG = DemoStep.untimed("b", false, "not seen");

    @Test
    void isOneJsonObjectThatTellsWhetherAllIsVerified() {
        DemoResult result = new DemoResult(List.of("here", "there"), List.of(RIGHT), Path.of("x.pcap"));

        assertThat(Json.write(result.toMap()))
                .isEqualTo("{\"verified\":true,\"devices\":[\"here\",\"there\"],\"steps\":["
                        + "{\"name\":\"a\",\"verified\":true,\"detail\":\"seen\",\"operations\":1,\"bytes\":1000,"
                        + "\"nanos\":1000000,\"bytesPerSecond\":1000000.0,\"operationsPerSecond\":1000.0,"
                        + "\"latencyNanosP50\":1000447,\"latencyNanosP99\":1000447,\"latencyNanosMax\":1000447}],"
                        + "\"pcap\":\"x.pcap\"}");
    }

    @Test
    void isNotVerifiedWhenOneStepIsNotOrNoneWasTaken() {
        assertThat(new DemoResult(List.of(), List.of(RIGHT, WRONG), Path.of("x")).verified())
                .isFalse();
        assertThat(new DemoResult(List.of(), List.of(), Path.of("x")).verified())
                .isFalse();
    }
}
