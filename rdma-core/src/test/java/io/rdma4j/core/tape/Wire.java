package io.rdma4j.core.tape;

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
import io.rdma4j.verbs.QueuePairType;
import io.rdma4j.verbs.SharedReceiveQueue;
import io.rdma4j.verbs.SharedReceiveQueueAttributes;
import io.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.Random;

/** Two engines back to back in one thread, over a wire of preallocated frames that may lose some. Allocates nothing. */
public final class Wire implements AutoCloseable {
    private static final int FRAMES = 1024;
    private static final int FRAME_BYTES = 2048;

    public final Side a;
    public final Side b;
    private long now;
    private int dropEvery = Integer.MAX_VALUE;
    private int carried;

    public Wire() {
        this(QueuePairType.RC);
    }

    /** With connected queue pairs of a type. */
    public Wire(QueuePairType type) {
        a = new Side(type, Tape.HERE, 1);
        b = new Side(type, Tape.PEER, 2);
        a.qp.connect(b.qp.localAddress(), ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_1024));
        b.qp.connect(a.qp.localAddress(), ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_1024));
    }

    public void dropEvery(int frames) {
        dropEvery = frames;
    }

    /** Carries all frames of both sides once; where there are none, time passes to the next deadline. */
    public void exchange() {
        a.engine.advance(now, a.frames);
        b.engine.advance(now, b.frames);
        if (a.frames.count + b.frames.count == 0) {
            long next = Math.min(a.engine.nextDeadlineNs(), b.engine.nextDeadlineNs());
            now = next == Long.MAX_VALUE ? now : Math.max(now, next);
        }
        carry(a, b);
        carry(b, a);
    }

    private void carry(Side from, Side to) {
        for (int i = 0; i < from.frames.count; i++) {
            if (++carried % dropEvery != 0) {
                int length = from.frames.lengths[i] + RocePacket.ICRC_LENGTH;
                to.engine.onDatagram(from.frames.buffer, i * FRAME_BYTES, length, to.arrival, now);
            }
        }
        from.frames.count = 0;
    }

    @Override
    public void close() {
        a.device.close();
        b.device.close();
    }

    /** One engine with a connected queue pair and a region. */
    public static final class Side {
        private final Frames frames;
        private final Arrival arrival = new Arrival();
        private final WorkCompletion[] done = WorkCompletion.array(1);
        public final DeviceEngine engine;
        public final SoftDevice device;
        public final ProtectionDomain domain;
        public final MemoryRegion region;
        public final CompletionQueue completions;
        public QueuePair qp;

        Side(QueuePairType type, Gid gid, int seed) {
            Gid peer = gid.equals(Tape.HERE) ? Tape.PEER : Tape.HERE;
            frames = new Frames(gid, peer);
            arrival.local(gid.addressHigh(), gid.addressLow(), Gid.ROCE_PORT);
            arrival.sender(peer.addressHigh(), peer.addressLow(), Gid.ROCE_PORT);
            engine = new DeviceEngine(
                    new EngineConfig(
                            gid, Gid.ROCE_PORT, PathMtu.MTU_4096, 4 << 20, new Random(seed), IcrcPolicy.STRICT),
                    () -> {});
            device = new SoftDevice("side " + seed, engine, new InlineDriver());
            domain = device.allocateProtectionDomain();
            region = domain.registerMemory(
                    ByteBuffer.allocateDirect(16 << 10),
                    AccessFlag.LOCAL_WRITE,
                    AccessFlag.REMOTE_READ,
                    AccessFlag.REMOTE_WRITE,
                    AccessFlag.REMOTE_ATOMIC,
                    AccessFlag.MEMORY_WINDOW_BIND);
            completions = device.createCompletionQueue(16);
            qp = domain.createQueuePair(QueuePairConfig.of(type, completions, completions));
        }

        /** In place of its queue pair it has one with a shared receive queue, connected to that of the other side. */
        public SharedReceiveQueue shareReceives(Side other) {
            SharedReceiveQueue shared = domain.createSharedReceiveQueue(SharedReceiveQueueAttributes.of(16, 4));
            qp = domain.createQueuePair(QueuePairConfig.reliable(completions).sharedReceiveQueue(shared));
            other.qp = other.domain.createQueuePair(QueuePairConfig.reliable(other.completions));
            qp.connect(other.qp.localAddress(), ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_1024));
            other.qp.connect(qp.localAddress(), ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_1024));
            return shared;
        }

        /** One more queue pair, for datagrams with one and the same Q_Key. */
        public QueuePair datagrams() {
            QueuePair made = qp.protectionDomain().createQueuePair(QueuePairConfig.datagram(completions));
            made.activate(Tape.QKEY);
            return made;
        }

        /** Polls one completion, which must be a success. */
        public int poll() {
            int n = completions.poll(done);
            if (n == 1 && !done[0].isSuccess()) {
                throw new AssertionError(done[0]);
            }
            return n;
        }
    }

    /** The frames that one side has sent in this turn, each in its place of one buffer. */
    private static final class Frames implements Egress {
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(FRAMES * FRAME_BYTES);
        private final int[] lengths = new int[FRAMES];
        private final PacketAddresses addresses = new PacketAddresses();
        private final Icrc icrc = new Icrc();
        private int count;

        Frames(Gid from, Gid to) {
            addresses.source(from.addressHigh(), from.addressLow(), Gid.ROCE_PORT);
            addresses.destination(to.addressHigh(), to.addressLow(), Gid.ROCE_PORT);
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
            return buffer;
        }

        @Override
        public int offset() {
            return count * FRAME_BYTES;
        }

        @Override
        public void commit() {
            int length = lengths[count];
            Icrc.write(buffer, offset() + length, icrc.compute(addresses, 0, buffer, offset(), length));
            count++;
        }

        @Override
        public void cancel() {}
    }
}
