package io.rdma4j.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.Operation;
import io.rdma4j.testkit.fabric.FrameView;
import io.rdma4j.testkit.fabric.TraceEntry;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every operation in lengths around the edges of packets, at every path MTU: bytes, packet count and opcodes (§2, §5). */
class MtuScenarioTest {
    private static final int TARGET = 32 << 10;

    static Stream<Arguments> sizes() {
        return Arrays.stream(PathMtu.values())
                .flatMap(mtu -> sizes(mtu.bytes()).mapToObj(size -> Arguments.of(mtu, size)));
    }

    private static IntStream sizes(int mtu) {
        return IntStream.of(0, 1, 3, 4, mtu - 1, mtu, mtu + 1, 2 * mtu, 5000).distinct();
    }

    @ParameterizedTest(name = "{0}, {1} bytes")
    @MethodSource("sizes")
    void send(PathMtu mtu, int size) {
        try (TwoNodes nodes = TwoNodes.connected(ConnectOptions.DEFAULT.pathMtu(mtu))) {
            nodes.b.postReceive(1001, TARGET, size);
            nodes.a.queuePair.postSend(Send.of(1, nodes.a.region.slice(0, size)).signaled());

            nodes.runToRest();

            assertThat(nodes.b.completions()).hasSize(1);
            assertThat(nodes.b.completions().get(0).byteLength()).isEqualTo(size);
            assertOneSuccess(nodes);
            assertThat(nodes.b.bytes(TARGET, size)).isEqualTo(nodes.a.bytes(0, size));
            assertPackets(
                    nodes.fabric.trace().entries(frame -> frame.opcode().operation() == Operation.SEND), mtu, size);
        }
    }

    @ParameterizedTest(name = "{0}, {1} bytes")
    @MethodSource("sizes")
    void write(PathMtu mtu, int size) {
        try (TwoNodes nodes = TwoNodes.connected(ConnectOptions.DEFAULT.pathMtu(mtu))) {
            nodes.a.queuePair.postSend(RdmaWrite.of(1, nodes.a.region.slice(0, size))
                    .to(nodes.b.region.address() + TARGET, nodes.b.region.remoteKey())
                    .signaled());

            nodes.runToRest();

            assertOneSuccess(nodes);
            assertThat(nodes.b.completions()).isEmpty();
            assertThat(nodes.b.bytes(TARGET, size)).isEqualTo(nodes.a.bytes(0, size));
            assertPackets(
                    nodes.fabric.trace().entries(frame -> frame.opcode().operation() == Operation.RDMA_WRITE),
                    mtu,
                    size);
        }
    }

    @ParameterizedTest(name = "{0}, {1} bytes")
    @MethodSource("sizes")
    void read(PathMtu mtu, int size) {
        try (TwoNodes nodes = TwoNodes.connected(ConnectOptions.DEFAULT.pathMtu(mtu))) {
            nodes.a.queuePair.postSend(RdmaRead.of(1, nodes.a.region.slice(TARGET, size))
                    .from(nodes.b.region.address(), nodes.b.region.remoteKey())
                    .signaled());

            nodes.runToRest();

            assertOneSuccess(nodes);
            assertThat(nodes.a.completions().get(0).byteLength()).isEqualTo(size);
            assertThat(nodes.a.bytes(TARGET, size)).isEqualTo(nodes.b.bytes(0, size));
            assertThat(nodes.sent(nodes.a, Opcode.RC_RDMA_READ_REQUEST)).hasSize(1);
            assertPackets(
                    nodes.fabric.trace().entries(frame -> frame.opcode().operation() == Operation.READ_RESPONSE),
                    mtu,
                    size);
        }
    }

    private static void assertOneSuccess(TwoNodes nodes) {
        assertThat(nodes.a.completions()).hasSize(1);
        WorkCompletion done = nodes.a.completions().get(0);
        assertThat(done.isSuccess()).as("%s: %s", done.status(), done.cause()).isTrue();
    }

    /** One packet ONLY, or FIRST, MIDDLE..., LAST with consecutive PSNs, all full but the last. */
    private static void assertPackets(List<TraceEntry> packets, PathMtu mtu, int size) {
        int count = Math.max(1, (size + mtu.bytes() - 1) / mtu.bytes());
        assertThat(packets).hasSize(count);
        for (int i = 0; i < count; i++) {
            FrameView frame = packets.get(i).frame();
            assertThat(frame.opcode().position().name()).isEqualTo(position(i, count));
            assertThat(frame.psn()).isEqualTo(TwoNodes.PSN_A + i);
            int left = size - i * mtu.bytes();
            assertThat(frame.payloadLength()).isEqualTo(Math.min(left, mtu.bytes()));
        }
    }

    private static String position(int index, int count) {
        if (count == 1) {
            return "ONLY";
        }
        return index == 0 ? "FIRST" : index == count - 1 ? "LAST" : "MIDDLE";
    }
}
