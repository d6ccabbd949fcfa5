package io.rdma4j.testkit.scenario;

import io.rdma4j.testkit.fabric.FrameRule;
import io.rdma4j.testkit.fabric.TraceEntry;
import io.rdma4j.testkit.verbs.ConnectionEnd;
import io.rdma4j.testkit.verbs.HostMemory;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.AsyncEvent;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendRequest;
import io.rdma4j.verbs.WorkCompletion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Two sides of an error: what provokes it, and what each side sees of it. */
final class ErrorBed implements AutoCloseable {
    /** Everything allowed, and quick to give up: one transport retry after 1 ms, one RNR retry after 10 us. */
    static final ConnectOptions OPTIONS = ConnectOptions.DEFAULT
            .pathMtu(PathMtu.MTU_1024)
            .timeout(8)
            .retryCount(1)
            .rnrRetry(1)
            .minRnrTimer(1);

    /** The request that is to fail, and one behind it, which is flushed. */
    static final long FAILING = 1;

    static final long BEHIND = 2;
    static final int RECEIVE_BYTES = 4096;
    static final int TARGET = 32 << 10;

    final TwoNodes nodes = new TwoNodes("192.0.2.2", "192.0.2.3", 1 << 16);
    final QueuePair requester;
    final QueuePair responder;
    private final CompletionQueue sendQueue;
    private final CompletionQueue receiveQueue;
    private final Deque<AutoCloseable> toClose = new ArrayDeque<>();

    /** With completion queues of these sizes at the requester and at the responder. */
    ErrorBed(int sendEntries, int receiveEntries) {
        sendQueue = closing(nodes.a.device.rdma().createCompletionQueue(sendEntries));
        receiveQueue = closing(nodes.b.device.rdma().createCompletionQueue(receiveEntries));
        requester =
                closing(nodes.a.domain.createQueuePair(QueuePairConfig.reliable(sendQueue, nodes.a.completionQueue)));
        responder = closing(
                nodes.b.domain.createQueuePair(QueuePairConfig.reliable(nodes.b.completionQueue, receiveQueue)));
    }

    ErrorBed() {
        this(16, 16);
    }

    <T extends AutoCloseable> T closing(T object) {
        toClose.push(object);
        return object;
    }

    ErrorBed connect() {
        return connect(OPTIONS, OPTIONS);
    }

    /** Connects with options that need not agree. */
    ErrorBed connect(ConnectOptions requesting, ConnectOptions responding) {
        ConnectionEnd a = new ConnectionEnd(requester, TwoNodes.PSN_A);
        ConnectionEnd b = new ConnectionEnd(responder, TwoNodes.PSN_B);
        a.prepare(b, requesting);
        b.prepare(a, responding);
        a.start(requesting);
        b.start(responding);
        return this;
    }

    /** Two receives at the responder, 1001 and 1002. */
    void receives() {
        receive(nodes.b.region.slice(0, RECEIVE_BYTES));
        responder.postReceive(ReceiveRequest.of(1002));
    }

    void receive(ScatterGatherElement element) {
        responder.postReceive(ReceiveRequest.of(1001, element));
    }

    /** Posts the request that is to fail, and one behind it that is not sent while a READ or atomic before it runs. */
    void post(SendRequest failing) {
        requester.postSend(failing);
        requester.postSend(Send.of(BEHIND).fenced());
    }

    ScatterGatherElement local(int bytes) {
        return nodes.a.region.slice(0, bytes);
    }

    long remote(int offset) {
        return nodes.b.region.address() + TARGET + offset;
    }

    int key() {
        return nodes.b.region.remoteKey();
    }

    /** A region of 64 bytes at one of the nodes, in that domain or in one of its own. */
    MemoryRegion region(Node node, boolean foreign, AccessFlag... access) {
        ProtectionDomain domain = foreign ? closing(node.device.rdma().allocateProtectionDomain()) : node.domain;
        return closing(domain.registerMemory(HostMemory.allocate(64), access));
    }

    /** The responder has seen the first packet of a message, and the requester begins anew after it. */
    void leaveHalf(SendRequest message) {
        nodes.fabric.addRule(FrameRule.drop().psn(TwoNodes.PSN_A + 1));
        requester.postSend(message);
        nodes.fabric.runFor(100_000);
        nodes.fabric.clearRules();
        move(requester, QueuePairState.RESET);
        ConnectionEnd again = new ConnectionEnd(requester, TwoNodes.PSN_A + 1);
        again.prepare(new ConnectionEnd(responder, TwoNodes.PSN_B), OPTIONS);
        again.start(OPTIONS);
    }

    /** The responder listens to somebody else than the requester. */
    void connectResponderElsewhere() {
        ConnectionEnd a = new ConnectionEnd(requester, TwoNodes.PSN_A);
        ConnectionEnd b = new ConnectionEnd(responder, TwoNodes.PSN_B);
        Node stranger = closing(new Node(nodes.fabric.addDevice("c", Gid.parse("192.0.2.4")), 4096));
        a.prepare(b, OPTIONS);
        a.start(OPTIONS);
        b.prepare(new ConnectionEnd(stranger.queuePair, 0), OPTIONS);
        b.start(OPTIONS);
    }

    static void move(QueuePair queuePair, QueuePairState state) {
        queuePair.modify(QueuePairAttributes.builder().state(state).build());
    }

    List<WorkCompletion> sent() {
        return poll(sendQueue);
    }

    List<WorkCompletion> received() {
        return poll(receiveQueue);
    }

    /** All in one call: a queue that has overrun may be asked for what it holds, and not again. */
    private static List<WorkCompletion> poll(CompletionQueue queue) {
        WorkCompletion[] all = WorkCompletion.array(queue.capacity());
        return List.of(all).subList(0, queue.poll(all));
    }

    /** The types of the events that a node has had, oldest first. */
    static List<String> events(Node node) {
        List<String> types = new ArrayList<>();
        AsyncEvent event = node.nextAsyncEvent();
        while (event != null) {
            types.add(event.type().name());
            event = node.nextAsyncEvent();
        }
        return types;
    }

    /** The NAKs that the responder has sent, each as {@code 0x62 psn 256}. */
    List<String> naks() {
        return nodes.fabric.trace().entries(frame -> frame.from().equals("b") && frame.syndrome() >= 0x20).stream()
                .map(TraceEntry::frame)
                .map(frame -> String.format("0x%02x psn %d", frame.syndrome(), frame.psn()))
                .toList();
    }

    @Override
    public void close() {
        while (!toClose.isEmpty()) {
            try {
                toClose.pop().close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
        nodes.close();
    }
}
