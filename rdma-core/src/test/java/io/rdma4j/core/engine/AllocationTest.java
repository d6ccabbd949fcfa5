package io.rdma4j.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.Wire;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.AddressHandle;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.BindMemoryWindow;
import io.rdma4j.verbs.CompareAndSwap;
import io.rdma4j.verbs.FetchAndAdd;
import io.rdma4j.verbs.LocalInvalidate;
import io.rdma4j.verbs.MemoryWindow;
import io.rdma4j.verbs.MemoryWindowBinding;
import io.rdma4j.verbs.MemoryWindowType;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairType;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.RdmaWriteWithImmediate;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.RemoteKeys;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendBatch;
import io.rdma4j.verbs.SendRequest;
import io.rdma4j.verbs.SendWithImmediate;
import io.rdma4j.verbs.SharedReceiveQueue;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** From post to packet to completion to poll, on both sides, nothing is allocated once the engines are warm. */
class AllocationTest {
    private static final int WARM_UP = 10_000;
    private static final int OPERATIONS = 20_000;
    private static final int WINDOWS = 10;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Wire wire = new Wire();
    private final long address = wire.b.region.address();
    private final int key = wire.b.region.remoteKey();

    @AfterEach
    void close() {
        wire.close();
    }

    @Test
    @DisplayName("SEND, of several packets and elements, with its receive")
    void send() {
        ReceiveRequest receive = ReceiveRequest.of(1, wire.b.region.slice(0, 700), wire.b.region.slice(4096, 9000));
        message(
                receive,
                Send.of(2, wire.a.region.slice(0, 1001), wire.a.region.slice(5000, 8000))
                        .signaled());
    }

    @Test
    @DisplayName("SEND and RDMA WRITE with immediate data, with their receives")
    void immediate() {
        ReceiveRequest receive = ReceiveRequest.of(1, wire.b.region.slice(0, 2000));
        message(
                receive,
                SendWithImmediate.of(2, 42, wire.a.region.slice(0, 2000)).signaled());
        message(
                receive,
                RdmaWriteWithImmediate.of(2, 42, wire.a.region.slice(0, 9001))
                        .to(address, key)
                        .signaled());
    }

    @Test
    @DisplayName("inline data, which is copied when posted")
    void inline() {
        operation(RdmaWrite.inline(1, ByteBuffer.allocate(30), ByteBuffer.allocateDirect(30))
                .to(address, key)
                .signaled());
        message(
                ReceiveRequest.of(1, wire.b.region.slice(0, 64)),
                Send.inline(2, new byte[64]).signaled());
    }

    @Test
    @DisplayName("a batch of SEND, WRITE and FETCH&ADD with elements and inline data, each built in place")
    void batch() {
        byte[] header = new byte[16];
        ByteBuffer more = ByteBuffer.allocate(8);
        ReceiveRequest receive = ReceiveRequest.of(1, wire.b.region.slice(0, 2000));
        assertThat(allocated(() -> {
                    wire.b.qp.postReceive(receive);
                    SendBatch batch = wire.a.qp.startSends();
                    batch.rdmaWrite(address, key).inlineData(header, 0, 16).inlineData(more);
                    batch.fetchAndAdd(address, key, 2).element(wire.a.region, 8, 8);
                    batch.workRequestId(3).signaled().send().element(wire.a.region, 16, 1000);
                    batch.complete();
                    exchange(wire);
                    return wire.b.poll();
                }))
                .isZero();
    }

    @Test
    @DisplayName("datagrams, with their route and immediate data")
    void datagrams() {
        QueuePair from = wire.a.datagrams();
        QueuePair to = wire.b.datagrams();
        AddressHandle way = from.protectionDomain().createAddressHandle(AddressVector.of(Tape.PEER));
        ReceiveRequest receive = ReceiveRequest.of(1, wire.b.region.slice(0, 60), wire.b.region.slice(4096, 1000));
        SendRequest request = SendWithImmediate.of(2, 42, wire.a.region.slice(3, 1000))
                .to(way, to.number(), -1)
                .signaled();
        assertThat(allocated(() -> {
                    to.postReceive(receive);
                    from.postSend(request);
                    exchange(wire);
                    return wire.b.poll();
                }))
                .isZero();
    }

    @Test
    @DisplayName("a list of requests")
    void list() {
        List<SendRequest> requests = List.of(
                RdmaWrite.of(1, wire.a.region.slice(0, 100)).to(address, key),
                RdmaWrite.inline(2, new byte[16]).to(address, key).signaled());
        assertThat(allocated(() -> {
                    wire.a.qp.postSend(requests);
                    return exchange(wire);
                }))
                .isZero();
    }

    private void message(ReceiveRequest receive, SendRequest request) {
        assertThat(allocated(() -> {
                    wire.b.qp.postReceive(receive);
                    complete(wire, request);
                    return wire.b.poll();
                }))
                .isZero();
    }

    @Test
    @DisplayName("SEND and RDMA WRITE with immediate data into receives of a shared queue")
    void sharedReceives() {
        SharedReceiveQueue shared = wire.b.shareReceives(wire.a);
        ReceiveRequest receive = ReceiveRequest.of(1, wire.b.region.slice(0, 700), wire.b.region.slice(4096, 9000));
        SendRequest send = Send.of(2, wire.a.region.slice(0, 9001)).signaled();
        SendRequest write = RdmaWriteWithImmediate.of(2, 42, wire.a.region.slice(0, 2000))
                .to(address, key)
                .signaled();
        assertThat(allocated(() -> {
                    shared.postReceive(receive);
                    shared.postReceive(receive);
                    complete(wire, send);
                    complete(wire, write);
                    return wire.b.poll() * wire.b.poll();
                }))
                .isZero();
    }

    @Test
    @DisplayName("RDMA WRITE")
    void write() {
        operation(RdmaWrite.of(1, wire.a.region.slice(0, 9001)).to(address, key).signaled());
    }

    @Test
    @DisplayName("RDMA READ")
    void read() {
        operation(
                RdmaRead.of(1, wire.a.region.slice(0, 9001)).from(address, key).signaled());
    }

    @Test
    @DisplayName("FETCH&ADD and COMPARE&SWAP")
    void atomics() {
        operation(
                FetchAndAdd.of(1, wire.a.region.slice(0, 8), 3).at(address, key).signaled());
        operation(CompareAndSwap.of(1, wire.a.region.slice(0, 8), 3, 4)
                .at(address, key)
                .signaled());
    }

    @Test
    @DisplayName("binding a window, WRITE and READ through it, and its invalidation")
    void window() {
        MemoryWindow window = wire.b.qp.protectionDomain().allocateMemoryWindow(MemoryWindowType.TYPE_2);
        int windowKey = RemoteKeys.increment(window.remoteKey());
        MemoryWindowBinding part = MemoryWindowBinding.of(
                wire.b.region, 64, 4096, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE, AccessFlag.ZERO_BASED);
        SendRequest bind = BindMemoryWindow.of(1, window, part, windowKey);
        SendRequest write =
                RdmaWrite.of(2, wire.a.region.slice(0, 3000)).to(8, windowKey).signaled();
        SendRequest read =
                RdmaRead.of(3, wire.a.region.slice(0, 3000)).from(8, windowKey).signaled();
        SendRequest invalidate = LocalInvalidate.of(4, windowKey).signaled();
        assertThat(allocated(() -> {
                    wire.b.qp.postSend(bind);
                    wire.exchange();
                    complete(wire, write);
                    complete(wire, read);
                    wire.b.qp.postSend(invalidate);
                    wire.exchange();
                    return wire.b.poll();
                }))
                .isZero();
    }

    @Test
    @DisplayName("losses, timers and retransmissions")
    void losses() {
        SendRequest write =
                RdmaWrite.of(1, wire.a.region.slice(0, 9001)).to(address, key).signaled();
        SendRequest read =
                RdmaRead.of(2, wire.a.region.slice(0, 9001)).from(address, key).signaled();
        wire.dropEvery(11);
        assertThat(allocated(() -> {
                    complete(wire, write);
                    return complete(wire, read);
                }))
                .isZero();
    }

    @Test
    @DisplayName("an unreliable connection: SEND, RDMA WRITE with immediate data, and messages that are dropped")
    void unreliable() {
        try (Wire unreliable = new Wire(QueuePairType.UC)) {
            ReceiveRequest receive = ReceiveRequest.of(1, unreliable.b.region.slice(0, 2000));
            SendRequest send = Send.of(2, unreliable.a.region.slice(0, 2000)).signaled();
            SendRequest tooLong = Send.of(3, unreliable.a.region.slice(0, 2001)).signaled();
            SendRequest write = RdmaWriteWithImmediate.of(4, 42, unreliable.a.region.slice(0, 9001))
                    .to(unreliable.b.region.address(), unreliable.b.region.remoteKey())
                    .signaled();
            assertThat(allocated(() -> {
                        unreliable.b.qp.postReceive(receive);
                        complete(unreliable, tooLong);
                        complete(unreliable, send);
                        int received = unreliable.b.poll();
                        complete(unreliable, write); // no receive
                        unreliable.b.qp.postReceive(receive);
                        complete(unreliable, write);
                        return received == 1 ? unreliable.b.poll() : 0;
                    }))
                    .isZero();
        }
    }

    private void operation(SendRequest request) {
        assertThat(allocated(() -> complete(wire, request))).isZero();
    }

    private static int complete(Wire on, SendRequest request) {
        on.a.qp.postSend(request);
        return exchange(on);
    }

    private static int exchange(Wire on) {
        int done = 0;
        while (done == 0) {
            on.exchange();
            done = on.a.poll();
        }
        return done;
    }

    @FunctionalInterface
    private interface Operation {
        int run();
    }

    /** The least that any of several windows allocated: what the virtual machine does once for itself is not per packet. */
    private long allocated(Operation operation) {
        repeat(operation, WARM_UP);
        long least = Long.MAX_VALUE;
        for (int window = 0; window < WINDOWS && least != 0; window++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            repeat(operation, OPERATIONS / WINDOWS);
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }

    private static void repeat(Operation operation, int times) {
        for (int i = 0; i < times; i++) {
            if (operation.run() != 1) {
                throw new AssertionError("no completion");
            }
        }
    }
}
