package io.rdma4j.testkit.scenario;

import io.rdma4j.core.wire.Opcode;
import io.rdma4j.testkit.fabric.Fabric;
import io.rdma4j.testkit.fabric.TraceEntry;
import io.rdma4j.testkit.verbs.ConnectionEnd;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.PathMtu;
import java.util.List;
import java.util.Set;

/** Two connected nodes on a clean fabric, for scenarios in virtual time. */
final class TwoNodes implements AutoCloseable {
    static final int PSN_A = 256;
    static final int PSN_B = 512;
    static final long MILLISECOND = 1_000_000L;
    static final long SECOND = 1_000 * MILLISECOND;

    /** 4.096 us * 2^14, the default transport timer (§4.4). */
    static final long TIMEOUT_14_NS = 4_096L << 14;

    final Fabric fabric = new Fabric(1);
    final Node a;
    final Node b;

    /** Two nodes at IPv4 addresses with 64 KiB of memory, connected with an MTU of 1024. */
    static TwoNodes connected() {
        return connected(ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_1024));
    }

    static TwoNodes connected(ConnectOptions options) {
        TwoNodes nodes = new TwoNodes("192.0.2.2", "192.0.2.3", 1 << 16);
        nodes.connect(options);
        return nodes;
    }

    TwoNodes(String addressA, String addressB, int memoryBytes) {
        a = new Node(fabric.addDevice("a", Gid.parse(addressA)), memoryBytes);
        b = new Node(fabric.addDevice("b", Gid.parse(addressB)), memoryBytes);
        a.fill(1);
        b.fill(2);
    }

    void connect(ConnectOptions options) {
        connect(options, PSN_A, PSN_B);
    }

    void connect(ConnectOptions options, int psnA, int psnB) {
        new ConnectionEnd(a.queuePair, psnA).connect(new ConnectionEnd(b.queuePair, psnB), options);
    }

    /** Runs until a node has so many completions, or the time is over. */
    void runUntilCompletions(Node node, int count, long maxNs) {
        fabric.runUntil(() -> node.completions().size() >= count, maxNs);
    }

    /** Runs to rest: nothing under way, no timer running. */
    void runToRest() {
        fabric.runUntilIdle(100 * SECOND);
    }

    /** The frames of these opcodes a node has sent, oldest first. */
    List<TraceEntry> sent(Node from, Opcode... opcodes) {
        Set<Opcode> wanted = Set.of(opcodes);
        return fabric.trace()
                .entries(frame -> frame.from().equals(from.device.name()) && wanted.contains(frame.opcode()));
    }

    /** The PSNs of all requests a node has sent, oldest first. */
    List<Integer> requestPsns(Node from) {
        return fabric
                .trace()
                .entries(frame -> frame.from().equals(from.device.name())
                        && frame.opcode().isRequest())
                .stream()
                .map(entry -> entry.frame().psn())
                .toList();
    }

    /** The NAKs of a syndrome a node has sent. */
    List<TraceEntry> naks(Node from, int syndrome) {
        return fabric.trace()
                .entries(frame -> frame.from().equals(from.device.name())
                        && frame.opcode() == Opcode.RC_ACKNOWLEDGE
                        && frame.syndrome() == syndrome);
    }

    @Override
    public void close() {
        a.close();
        b.close();
        fabric.close();
    }
}
