package io.rdma4j.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.wire.Psn;
import io.rdma4j.testkit.fabric.FrameView;
import io.rdma4j.testkit.fabric.TraceEntry;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryRegionConfig;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.RdmaWriteWithImmediate;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendRequest;
import io.rdma4j.verbs.SendWithImmediate;
import io.rdma4j.verbs.WorkCompletion;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages in many pieces, of and to memory in many buffers: every seam at an odd place (§2, §5, §6.1, §11.1). */
class ScatterGatherScenarioTest {
    private static final int MTU = 1024;
    private static final int MEMORY = 4 << 20;
    private static final int TARGET = (2 << 20) + 5;
    private static final int IMMEDIATE = 0x89ABCDEF;

    /** The most that one READ request asks for; a longer READ is several, each answered FIRST to LAST. */
    private static final int READ_REQUEST = 256 << 10;

    private final SplittableRandom random = new SplittableRandom(7);
    private final TwoNodes nodes = new TwoNodes("192.0.2.2", "192.0.2.3", MEMORY);

    private enum Kind {
        SEND,
        SEND_WITH_IMMEDIATE,
        WRITE,
        WRITE_WITH_IMMEDIATE,
        READ;

        boolean takesReceive() {
            return this != WRITE && this != READ;
        }
    }

    @ParameterizedTest(name = "bug/1: {0} bytes")
    @DisplayName(
            "bug/1: any length is segmented as specified, in 1 to 32 pieces at odd places, from and to many buffers")
    @ValueSource(ints = {1023, 1024, 1025, 2047, 2048, 2049, (1 << 20) + 1})
    void pieces(int length) {
        nodes.connect(ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_1024));
        try (nodes;
                MemoryRegion a = inBuffers(nodes.a);
                MemoryRegion b = inBuffers(nodes.b)) {
            int psn = TwoNodes.PSN_A;
            for (int count : new int[] {1, 2, 3, 32}) {
                for (Kind kind : Kind.values()) {
                    refill();
                    List<Piece> own = pieces(a, length, count, 0);
                    List<Piece> remote = kind.takesReceive() && kind != Kind.WRITE_WITH_IMMEDIATE
                            ? pieces(b, length, count, TARGET)
                            : List.of(new Piece(b.slice(TARGET, length), TARGET));
                    byte[] expected = kind == Kind.READ ? bytes(nodes.b, remote) : bytes(nodes.a, own);
                    long seen = nodes.fabric.trace().count();

                    run(kind, own, remote);

                    assertThat(bytes(nodes.a, own)).isEqualTo(expected);
                    assertThat(bytes(nodes.b, remote)).isEqualTo(expected);
                    assertCompleted(kind, length);
                    assertPackets(kind, seen, psn, length);
                    psn = Psn.add(psn, (length + MTU - 1) / MTU);
                }
            }
        }
    }

    /** A part of a region and where it is in the memory of its node. */
    private record Piece(ScatterGatherElement element, int offset) {}

    /** The node's memory once more, as one region of many slices of odd lengths. */
    private static MemoryRegion inBuffers(Node node) {
        int[] lengths = {1, 4093, 7, 1023, 65_535, 300_001};
        List<ByteBuffer> slices = new ArrayList<>();
        for (int at = 0; at < MEMORY; ) {
            int length = Math.min(lengths[slices.size() % lengths.length], MEMORY - at);
            slices.add(node.memory.slice(at, length));
            at += length;
        }
        return node.domain.registerMemory(MemoryRegionConfig.of(slices.toArray(ByteBuffer[]::new))
                .access(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ));
    }

    private void refill() {
        nodes.a.fill(random.nextLong());
        nodes.b.fill(random.nextLong());
    }

    /** Cuts a message in pieces of chance lengths, some of them empty, with gaps between them. */
    private List<Piece> pieces(MemoryRegion region, int length, int count, int from) {
        List<Piece> pieces = new ArrayList<>();
        int left = length;
        int at = from;
        for (int i = 0; i < count; i++) {
            int bytes = i == count - 1 ? left : random.nextInt(Math.min(left, 2 * length / count) + 1);
            at += 1 + random.nextInt(99);
            pieces.add(new Piece(region.slice(at, bytes), at));
            at += bytes;
            left -= bytes;
        }
        return pieces;
    }

    private static byte[] bytes(Node node, List<Piece> pieces) {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        for (Piece piece : pieces) {
            message.writeBytes(node.bytes(piece.offset, (int) piece.element.length()));
        }
        return message.toByteArray();
    }

    private void run(Kind kind, List<Piece> own, List<Piece> remote) {
        ScatterGatherElement[] elements = elements(own);
        ScatterGatherElement target = remote.get(0).element;
        SendRequest request = switch (kind) {
            case SEND -> Send.of(1, elements).signaled();
            case SEND_WITH_IMMEDIATE ->
                SendWithImmediate.of(1, IMMEDIATE, elements).signaled();
            case WRITE ->
                RdmaWrite.of(1, elements)
                        .to(target.address(), target.localKey())
                        .signaled();
            case WRITE_WITH_IMMEDIATE ->
                RdmaWriteWithImmediate.of(1, IMMEDIATE, elements)
                        .to(target.address(), target.localKey())
                        .signaled();
            case READ ->
                RdmaRead.of(1, elements)
                        .from(target.address(), target.localKey())
                        .signaled();
        };
        if (kind == Kind.WRITE_WITH_IMMEDIATE) {
            nodes.b.queuePair.postReceive(ReceiveRequest.of(2));
        } else if (kind.takesReceive()) {
            nodes.b.queuePair.postReceive(ReceiveRequest.of(2, elements(remote)));
        }
        nodes.a.queuePair.postSend(request);
        nodes.runToRest();
    }

    private static ScatterGatherElement[] elements(List<Piece> pieces) {
        return pieces.stream().map(Piece::element).toArray(ScatterGatherElement[]::new);
    }

    private void assertCompleted(Kind kind, int length) {
        List<WorkCompletion> sent = nodes.a.completions();
        assertThat(sent).hasSize(1).allMatch(WorkCompletion::isSuccess);
        sent.clear();
        List<WorkCompletion> received = nodes.b.completions();
        assertThat(received).hasSize(kind.takesReceive() ? 1 : 0).allMatch(WorkCompletion::isSuccess);
        assertThat(received).allMatch(done -> done.byteLength() == length);
        assertThat(received)
                .allMatch(done -> done.hasImmediate() == (kind != Kind.SEND))
                .allMatch(done -> done.immediateData() == (kind == Kind.SEND ? 0 : IMMEDIATE));
        received.clear();
    }

    /** The packets that carry the message, request or response: their opcodes, consecutive PSNs, and nothing twice. */
    private void assertPackets(Kind kind, long seen, int psn, int length) {
        List<TraceEntry> entries = nodes.fabric.trace().entries();
        List<FrameView> data = entries.subList((int) seen, entries.size()).stream()
                .map(TraceEntry::frame)
                .filter(frame -> frame.payloadLength() > 0)
                .toList();
        int count = (length + MTU - 1) / MTU;
        assertThat(data).hasSize(count);
        for (int i = 0; i < count; i++) {
            assertThat(data.get(i).opcode().name()).isEqualTo(opcode(kind, i, count));
            assertThat(data.get(i).psn()).isEqualTo(Psn.add(psn, i));
        }
    }

    private static String opcode(Kind kind, int index, int count) {
        int perRequest = kind == Kind.READ ? READ_REQUEST / MTU : count;
        boolean first = index % perRequest == 0;
        boolean last = index == count - 1 || (index + 1) % perRequest == 0;
        String position = first ? last ? "ONLY" : "FIRST" : last ? "LAST" : "MIDDLE";
        return switch (kind) {
            case READ -> "RC_RDMA_READ_RESPONSE_" + position;
            case WRITE -> "RC_RDMA_WRITE_" + position;
            case WRITE_WITH_IMMEDIATE -> "RC_RDMA_WRITE_" + position + (last ? "_WITH_IMMEDIATE" : "");
            case SEND -> "RC_SEND_" + position;
            case SEND_WITH_IMMEDIATE -> "RC_SEND_" + position + (last ? "_WITH_IMMEDIATE" : "");
        };
    }
}
