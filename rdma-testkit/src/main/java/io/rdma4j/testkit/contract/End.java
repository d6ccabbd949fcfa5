package io.rdma4j.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rdma4j.testkit.verbs.ConnectionEnd;
import io.rdma4j.testkit.verbs.HostMemory;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.SendRequest;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * One end of a pair: a queue pair with a completion queue for sends and one for receives, and memory with all rights that
 * holds a pattern of its own.
 */
public final class End {
    /** Changes the index in a key. */
    private static final int BAD = 0x5A5A00;

    private static final Duration QUIET = Duration.ofSeconds(10);
    private static final Duration SHORT_QUIET = Duration.ofMillis(100);

    private final ContractBed bed;
    private final RdmaDevice device;
    private final ProtectionDomain domain;
    private final CompletionQueue sends;
    private final CompletionQueue receives;
    private final ByteBuffer memory;
    private final MemoryRegion region;
    private final QueuePair queuePair;
    private final byte[] pattern;
    private final WorkCompletion[] polled = WorkCompletion.array(1);

    End(ContractBed bed, PairPlan plan, int deviceIndex, long seed) {
        this.bed = bed;
        device = bed.device(deviceIndex);
        domain = bed.domain(deviceIndex);
        sends = bed.closing(device.createCompletionQueue(plan.completions()));
        receives = bed.closing(device.createCompletionQueue(plan.completions()));
        memory = HostMemory.allocate(plan.memoryBytes());
        pattern = new byte[plan.memoryBytes()];
        new SplittableRandom(seed).nextBytes(pattern);
        memory.put(0, pattern);
        region = bed.closing(domain.registerMemory(
                memory,
                AccessFlag.LOCAL_WRITE,
                AccessFlag.REMOTE_WRITE,
                AccessFlag.REMOTE_READ,
                AccessFlag.REMOTE_ATOMIC));
        queuePair = bed.closing(
                domain.createQueuePair(plan.shape().apply(QueuePairConfig.of(plan.type(), sends, receives))));
    }

    public RdmaDevice device() {
        return device;
    }

    public ProtectionDomain domain() {
        return domain;
    }

    public QueuePair queuePair() {
        return queuePair;
    }

    /** Where its sends complete. */
    public CompletionQueue sends() {
        return sends;
    }

    /** Where its receives complete. */
    public CompletionQueue receives() {
        return receives;
    }

    public MemoryRegion region() {
        return region;
    }

    /** The bytes of the region, little-endian. */
    public ByteBuffer memory() {
        return memory;
    }

    /** The address of a place in the region. */
    public long address(long offset) {
        return region.address() + offset;
    }

    /** The key of the region for the peer. */
    public int key() {
        return region.remoteKey();
    }

    /** A key that is not that of any region, for the peer or for elements. */
    public int badKey() {
        return key() ^ BAD;
    }

    /** A part of the region, but with a key that is none. */
    public ScatterGatherElement badSlice(long offset, long length) {
        return new ScatterGatherElement(address(offset), length, region.localKey() ^ BAD);
    }

    /** A part of the region. */
    public ScatterGatherElement slice(long offset, long length) {
        return region.slice(offset, length);
    }

    public byte[] bytes(int offset, int length) {
        byte[] bytes = new byte[length];
        memory.get(offset, bytes);
        return bytes;
    }

    /** Takes the queue pair from RESET or INIT to RTS. */
    public void connect(End peer, ConnectOptions options) {
        queuePair.connect(peer.queuePair.localAddress(), options);
    }

    /** The queue pair with its first PSN, for single steps to RTR and RTS. */
    public ConnectionEnd steps() {
        return new ConnectionEnd(queuePair, queuePair.localAddress().packetSequenceNumber());
    }

    /** Moves to a state that needs no attributes. */
    public void move(QueuePairState state) {
        queuePair.modify(QueuePairAttributes.builder().state(state).build());
    }

    /** Posts requests, one by one. */
    public void post(SendRequest... requests) {
        for (SendRequest request : requests) {
            queuePair.postSend(request);
        }
    }

    /** Posts a receive into a part of the region. */
    public void postReceive(long id, long offset, long length) {
        queuePair.postReceive(ReceiveRequest.of(id, region.slice(offset, length)));
    }

    /** Posts a receive without memory. */
    public void postReceive(long id) {
        queuePair.postReceive(ReceiveRequest.of(id));
    }

    /** The next send to complete is this one, and it has succeeded; a copy of its completion. */
    public WorkCompletion expectSent(long id) {
        return expectSent(id, WorkCompletionStatus.SUCCESS);
    }

    /** The next send to complete is this one, with this status; a copy of its completion. */
    public WorkCompletion expectSent(long id, WorkCompletionStatus status) {
        return expect("send", sends, id, status);
    }

    /** The next receive to complete is this one, and it has succeeded; a copy of its completion. */
    public WorkCompletion expectReceived(long id) {
        return expectReceived(id, WorkCompletionStatus.SUCCESS);
    }

    /** The next receive to complete is this one, with this status; a copy of its completion. */
    public WorkCompletion expectReceived(long id, WorkCompletionStatus status) {
        return expect("receive", receives, id, status);
    }

    private WorkCompletion expect(String what, CompletionQueue queue, long id, WorkCompletionStatus status) {
        WorkCompletion done = next(what + " " + id + " with " + status, queue);
        assertEquals(status, done.status(), () -> what + ": " + done);
        assertEquals(id, done.workRequestId(), () -> what + ": " + done);
        assertEquals(queuePair.number(), done.queuePairNumber(), () -> what + ": " + done);
        return done;
    }

    /** The next send to complete, whatever it is; a copy. */
    public WorkCompletion nextSent() {
        return next("a send", sends);
    }

    /** The next receive to complete, whatever it is; a copy. */
    public WorkCompletion nextReceived() {
        return next("a receive", receives);
    }

    private WorkCompletion next(String what, CompletionQueue queue) {
        bed.expect(what, () -> queue.poll(polled) == 1);
        return polled[0].copy();
    }

    /** Nothing completes here for 10 s, or for 100 ms where time is real. */
    public void expectNothing() {
        bed.advance(QUIET, SHORT_QUIET);
        expectEmpty(sends);
        expectEmpty(receives);
    }

    private void expectEmpty(CompletionQueue queue) {
        if (queue.poll(polled) != 0) {
            throw new AssertionError("completed, but should not: " + polled[0]);
        }
    }

    /** What completed and was not looked at was flushed. */
    void expectNothingElse() {
        expectFlushedOnly(sends);
        expectFlushedOnly(receives);
    }

    private void expectFlushedOnly(CompletionQueue queue) {
        try {
            while (queue.poll(polled) == 1) {
                assertEquals(
                        WorkCompletionStatus.WR_FLUSH_ERR,
                        polled[0].status(),
                        () -> "a completion that the case did not expect: " + polled[0]);
            }
        } catch (RdmaException e) {
            // The case closed the queue, or made it overrun: there is nothing left to look at.
            assertTrue(e.code() == ErrorCode.EBADF || e.code() == ErrorCode.EIO, e::getMessage);
        }
    }

    /** The queue pair comes to be in this state. */
    public void expectState(QueuePairState state) {
        bed.expect("queue pair in " + state, () -> queuePair.state() == state);
    }

    /** The memory is as it was at the start, but for this range, which may have changed. */
    public void expectUntouchedBut(int offset, int length) {
        byte[] now = bytes(0, pattern.length);
        assertArrayEquals(Arrays.copyOf(pattern, offset), Arrays.copyOf(now, offset), "the bytes before");
        int end = offset + length;
        assertArrayEquals(
                Arrays.copyOfRange(pattern, end, pattern.length),
                Arrays.copyOfRange(now, end, pattern.length),
                "the bytes behind");
    }

    /** The memory is as it was at the start. */
    public void expectUntouched() {
        expectUntouchedBut(0, 0);
    }

    /** What the memory held at the start. */
    public byte[] pattern(int offset, int length) {
        return Arrays.copyOfRange(pattern, offset, offset + length);
    }
}
