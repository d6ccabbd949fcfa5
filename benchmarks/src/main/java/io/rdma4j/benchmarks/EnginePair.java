package io.rdma4j.benchmarks;

import io.rdma4j.core.device.DeviceDriver;
import io.rdma4j.core.device.SoftDevice;
import io.rdma4j.core.engine.DeviceEngine;
import io.rdma4j.core.engine.EngineConfig;
import io.rdma4j.core.engine.IcrcPolicy;
import io.rdma4j.core.link.Arrival;
import io.rdma4j.core.link.Egress;
import io.rdma4j.core.link.Path;
import io.rdma4j.core.wire.Icrc;
import io.rdma4j.core.wire.PacketAddresses;
import io.rdma4j.core.wire.RocePacket;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.SendRequest;
import io.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Two engines back to back on one thread, in virtual time and without sockets: what remains is what rdma4j itself does for
 * a packet. One pair of queue pairs is busy, the others are connected and idle.
 */
final class EnginePair {
    private static final Gid LEFT = Gid.parse("::ffff:192.0.2.1");
    private static final Gid RIGHT = Gid.parse("::ffff:192.0.2.2");
    private static final int FRAMES = 1024;
    private static final int FRAME_BYTES = 8192;
    private static final int MEMORY_BYTES = 1 << 20;

    private final Side left = new Side(LEFT, RIGHT, 1);
    private final Side right = new Side(RIGHT, LEFT, 2);
    private final QueuePair busy;
    private final WorkCompletion[] done = WorkCompletion.array(1);
    private long now;
    private long packets;

    /** So many idle pairs, and the busy one. */
    EnginePair(int idle) {
        // Half of the idle ones are older than the busy pair and half younger, wherever that may matter.
        connect(idle / 2, 1);
        busy = connect(1, 128);
        connect(idle - idle / 2, 1);
    }

    private QueuePair connect(int pairs, int requests) {
        QueuePair last = null;
        for (int i = 0; i < pairs; i++) {
            QueuePair one = left.createQueuePair(requests);
            QueuePair other = right.createQueuePair(requests);
            one.connect(other.localAddress(), ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_4096));
            other.connect(one.localAddress(), ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_4096));
            last = one;
        }
        return last == null ? left.createQueuePair(1) : last;
    }

    /** An RDMA WRITE of so many bytes, to be posted again and again. */
    SendRequest write(int bytes) {
        return RdmaWrite.of(1, left.region.slice(0, bytes))
                .to(right.region.address(), right.region.remoteKey())
                .signaled();
    }

    /** Carries so many requests out, one after another. */
    void run(SendRequest request, int count) {
        for (int i = 0; i < count; i++) {
            busy.postSend(request);
            while (left.completions.poll(done) == 0) {
                left.engine.advance(now, left);
                carry(left, right);
                right.engine.advance(now, right);
                carry(right, left);
                now += 1_000;
            }
            if (!done[0].isSuccess()) {
                throw new IllegalStateException(done[0].toString());
            }
        }
    }

    /** Packets carried so far, both ways. */
    long packets() {
        return packets;
    }

    private void carry(Side from, Side to) {
        for (int i = 0; i < from.count; i++) {
            to.engine.onDatagram(
                    from.frames, i * FRAME_BYTES, from.lengths[i] + RocePacket.ICRC_LENGTH, to.arrival, now);
        }
        packets += from.count;
        from.count = 0;
    }

    /** One engine and its link, which collects the frames of a turn. */
    private static final class Side implements Egress, DeviceDriver {
        private final ByteBuffer frames = ByteBuffer.allocateDirect(FRAMES * FRAME_BYTES);
        private final int[] lengths = new int[FRAMES];
        private final PacketAddresses addresses = new PacketAddresses();
        private final Icrc icrc = new Icrc();
        private final Arrival arrival = new Arrival();
        private final DeviceEngine engine;
        private final ProtectionDomain domain;
        private final MemoryRegion region;
        private final CompletionQueue completions;
        private int count;

        Side(Gid here, Gid peer, int seed) {
            addresses.source(here.addressHigh(), here.addressLow(), Gid.ROCE_PORT);
            addresses.destination(peer.addressHigh(), peer.addressLow(), Gid.ROCE_PORT);
            arrival.local(here.addressHigh(), here.addressLow(), Gid.ROCE_PORT);
            arrival.sender(peer.addressHigh(), peer.addressLow(), Gid.ROCE_PORT);
            engine = new DeviceEngine(
                    new EngineConfig(
                            here, Gid.ROCE_PORT, PathMtu.MTU_4096, 4 << 20, new Random(seed), IcrcPolicy.STRICT),
                    () -> {});
            SoftDevice device = new SoftDevice("engine " + seed, engine, this);
            domain = device.allocateProtectionDomain();
            region = domain.registerMemory(
                    ByteBuffer.allocateDirect(MEMORY_BYTES), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
            completions = device.createCompletionQueue(16);
        }

        QueuePair createQueuePair(int requests) {
            return domain.createQueuePair(QueuePairConfig.reliable(completions)
                    .maxSendWorkRequests(requests)
                    .maxReceiveWorkRequests(requests)
                    .maxSendScatterGather(1)
                    .maxReceiveScatterGather(1));
        }

        @Override
        public boolean claim(Path path, int length) {
            if (count == FRAMES) {
                return false;
            }
            lengths[count] = length;
            return true;
        }

        @Override
        public ByteBuffer buffer() {
            return frames;
        }

        @Override
        public int offset() {
            return count * FRAME_BYTES;
        }

        @Override
        public void commit() {
            int length = lengths[count];
            Icrc.write(frames, offset() + length, icrc.compute(addresses, 0, frames, offset(), length));
            count++;
        }

        @Override
        public void cancel() {
            // The next claim takes the same place.
        }

        @Override
        public <T> T call(Supplier<T> command) {
            return command.get();
        }

        @Override
        public boolean isOwnerThread() {
            return false;
        }

        @Override
        public void close() {
            // No thread and no socket to let go.
        }
    }
}
