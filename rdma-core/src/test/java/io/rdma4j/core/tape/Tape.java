package io.rdma4j.core.tape;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.device.SoftDevice;
import io.rdma4j.core.engine.DeviceEngine;
import io.rdma4j.core.engine.EngineConfig;
import io.rdma4j.core.engine.IcrcPolicy;
import io.rdma4j.core.link.Arrival;
import io.rdma4j.core.link.Path;
import io.rdma4j.core.qp.Counter;
import io.rdma4j.core.wire.DropReason;
import io.rdma4j.core.wire.Icrc;
import io.rdma4j.core.wire.PacketAddresses;
import io.rdma4j.core.wire.RocePacket;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.AsyncEvent;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryRegionConfig;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.SendRequest;
import io.rdma4j.verbs.SharedReceiveQueue;
import io.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * One engine with a scripted clock and a recording link: packets in at stated times, then the exact frames, completions and
 * events that come of them, and nothing more. Lines of packets are those of {@link PacketText}.
 *
 * <p>Every tape has a queue pair that sends from PSN {@value #FIRST_PSN} and expects from PSN {@value #EXPECTED_PSN}, and a
 * region {@code mr} of 64 KiB at address 0x10000 with all rights. Time is in nanoseconds from the tape's start.
 */
public final class Tape implements AutoCloseable {
    public static final Gid HERE = Gid.parse("::ffff:192.0.2.1");
    public static final Gid PEER = Gid.parse("::ffff:192.0.2.2");
    public static final int PEER_QP = 0x77;
    /** Of a queue pair of type UD. */
    public static final int QKEY = 0x1234_5678;

    public static final int FIRST_PSN = 100;
    public static final int EXPECTED_PSN = 500;
    public static final long BASE = 0x10000;
    public static final int REGION_BYTES = 64 << 10;
    public static final long US = 1_000;
    public static final long MS = 1_000_000;

    /** Where the clock of a tape begins; what {@code System.nanoTime} gives need not be near 0 or positive. */
    private static final long START = -5_000_000_000L;

    private static final int STEPS = 10_000;

    private final RecordingLink link = new RecordingLink();
    private final ByteBuffer inbox = ByteBuffer.allocateDirect(16 << 10);
    private final Icrc icrc = new Icrc();
    private final Map<String, Integer> keys = new HashMap<>();
    private final Map<CompletionQueue, List<WorkCompletion>> completions = new HashMap<>();
    private long now = START;
    private int readFrames;
    private Gid destination = PEER;

    public final ByteBuffer bytes = ByteBuffer.allocateDirect(REGION_BYTES);
    public final InlineDriver driver = new InlineDriver();
    public final DeviceEngine engine;
    public final SoftDevice device;
    public final ProtectionDomain domain;
    public final CompletionQueue sendQueue;
    public final CompletionQueue receiveQueue;
    public final MemoryRegion region;
    public final QueuePair qp;

    /** A connected queue pair with the settings of {@link TapeSetup}. */
    public Tape() {
        this(new TapeSetup());
    }

    Tape(TapeSetup setup) {
        engine = new DeviceEngine(
                new EngineConfig(
                        HERE,
                        Gid.ROCE_PORT,
                        PathMtu.MTU_4096,
                        setup.receiveBufferBytes,
                        new Random(4711),
                        IcrcPolicy.STRICT),
                () -> {});
        device = new SoftDevice("tape", engine, driver);
        domain = device.allocateProtectionDomain();
        sendQueue = device.createCompletionQueue(setup.completionEntries);
        receiveQueue = device.createCompletionQueue(setup.completionEntries);
        region = register("mr", bytes, BASE, AccessFlag.values());
        qp = setup.create(this);
    }

    /** Registers a buffer at a chosen address; incoming lines may name its key. */
    public MemoryRegion register(String name, ByteBuffer buffer, long address, AccessFlag... access) {
        List<AccessFlag> flags = new ArrayList<>(List.of(access));
        flags.remove(AccessFlag.ZERO_BASED);
        return register(name, MemoryRegionConfig.of(buffer).iova(address).access(flags.toArray(AccessFlag[]::new)));
    }

    /** Registers memory; incoming lines may name its key. */
    public MemoryRegion register(String name, MemoryRegionConfig config) {
        MemoryRegion made = domain.registerMemory(config);
        keys.put(name, made.remoteKey());
        return made;
    }

    /** Part of the region {@code mr}. */
    public ScatterGatherElement at(long offset, long length) {
        return region.slice(offset, length);
    }

    /** Posts and lets the engine work. */
    public Tape post(SendRequest... requests) {
        for (SendRequest request : requests) {
            qp.postSend(request);
        }
        return run();
    }

    /** Posts a receive to the queue pair, or to the shared receive queue that it takes from. */
    public Tape receive(long id, ScatterGatherElement... elements) {
        ReceiveRequest request = ReceiveRequest.of(id, elements);
        SharedReceiveQueue shared = qp.sharedReceiveQueue();
        if (shared == null) {
            qp.postReceive(request);
        } else {
            shared.postReceive(request);
        }
        return run();
    }

    /** Packets of the peer, received in one burst. */
    public Tape in(String... lines) {
        for (String line : lines) {
            deliver(line, PEER, HERE, 0);
        }
        return run();
    }

    /** One packet whose addresses, or whose ICRC by a flipped bit pattern, are not right. */
    public Tape inFrom(Gid source, Gid destination, int damage, String line) {
        deliver(line, source, destination, damage);
        return run();
    }

    /** Bytes from BTH to ICRC as they are. */
    public Tape inRaw(ByteBuffer buffer, int offset, int length) {
        engine.onDatagram(buffer, offset, length, arrival(PEER, HERE), now);
        return run();
    }

    private void deliver(String line, Gid source, Gid destination, int damage) {
        int length = PacketText.write(line, qp.number(), keys, inbox);
        seal(inbox, length, source, destination);
        Icrc.write(inbox, length, Icrc.read(inbox, length) ^ damage);
        engine.onDatagram(inbox, 0, length + RocePacket.ICRC_LENGTH, arrival(source, destination), now);
    }

    /** Ends a packet at index 0 with the ICRC that it has on its way from the peer. */
    public void seal(ByteBuffer buffer, int length) {
        seal(buffer, length, PEER, HERE);
    }

    private void seal(ByteBuffer buffer, int length, Gid source, Gid destination) {
        PacketAddresses addresses = new PacketAddresses()
                .source(source.addressHigh(), source.addressLow(), 0xC000)
                .destination(destination.addressHigh(), destination.addressLow(), Gid.ROCE_PORT);
        Icrc.write(buffer, length, icrc.compute(addresses, 0, buffer, 0, length));
    }

    private static Arrival arrival(Gid source, Gid destination) {
        Arrival arrival = new Arrival();
        arrival.local(destination.addressHigh(), destination.addressLow(), Gid.ROCE_PORT);
        arrival.sender(source.addressHigh(), source.addressLow(), 0xC000);
        return arrival;
    }

    /** Lets the engine do what is due now. */
    public Tape run() {
        int steps = 0;
        do {
            engine.advance(now, link);
            assertThat(++steps).as("the engine comes to rest").isLessThan(STEPS);
        } while (engine.nextDeadlineNs() <= now);
        return this;
    }

    /** Lets time pass, and the engine work at its deadlines. */
    public Tape elapse(long nanos) {
        long end = now + nanos;
        while (engine.nextDeadlineNs() <= end) {
            now = Math.max(now, engine.nextDeadlineNs());
            run();
        }
        now = end;
        return run();
    }

    /** Passes time up to the engine's next deadline. */
    public Tape elapseToDeadline() {
        assertThat(engine.nextDeadlineNs()).isLessThan(Long.MAX_VALUE);
        return elapse(engine.nextDeadlineNs() - now);
    }

    /** Time since the tape's start. */
    public long time() {
        return now - START;
    }

    /** The link takes so many frames more. */
    public Tape linkTakes(int frames) {
        link.room = frames;
        return this;
    }

    /** The frames sent since the last time, and no others. */
    public Tape out(String... lines) {
        assertThat(sent()).containsExactly(lines);
        return this;
    }

    /** The lines of the frames sent since the last time. */
    public List<String> sent() {
        List<String> lines = new ArrayList<>();
        while (readFrames < link.frames.size()) {
            assertThat(link.paths.get(readFrames).remote()).isEqualTo(destination);
            lines.add(PacketText.read(link.frames.get(readFrames++), PEER_QP));
        }
        return lines;
    }

    /** Frames go to another address from now on. */
    public Tape sendsTo(Gid gid) {
        destination = gid;
        return this;
    }

    /** The way that the latest frame took. */
    public Path latestPath() {
        return link.paths.get(link.paths.size() - 1);
    }

    /** The payload of the frame sent {@code back} frames ago; 0 is the latest. */
    public byte[] payload(int back) {
        return PacketText.payloadOf(link.frames.get(link.frames.size() - 1 - back));
    }

    /** The frame sent {@code back} frames ago, from the BTH to the pad, as unsigned bytes. */
    public int[] frame(int back) {
        byte[] frame = link.frames.get(link.frames.size() - 1 - back);
        int[] unsigned = new int[frame.length];
        for (int i = 0; i < frame.length; i++) {
            unsigned[i] = frame[i] & 0xFF;
        }
        return unsigned;
    }

    /** The completions of the send queue since the last time, each as {@code id STATUS [OPCODE length [imm] [inv]]}. */
    public Tape sendDone(String... lines) {
        assertThat(polled(sendQueue)).containsExactly(lines);
        return this;
    }

    public Tape receiveDone(String... lines) {
        assertThat(polled(receiveQueue)).containsExactly(lines);
        return this;
    }

    private List<String> polled(CompletionQueue queue) {
        WorkCompletion[] one = WorkCompletion.array(1);
        List<String> lines = new ArrayList<>();
        while (pollOne(queue, one)) {
            WorkCompletion done = one[0];
            assertThat(done.cause().isEmpty()).as("only failures have a cause").isEqualTo(done.isSuccess());
            completions.computeIfAbsent(queue, key -> new ArrayList<>()).add(done.copy());
            String status = done.status().name();
            lines.add(done.workRequestId() + " " + status + (done.isSuccess() ? result(done) : ""));
        }
        return lines;
    }

    /** A queue that has overrun refuses when nothing is left in it (§10), which ends what can be polled all the same. */
    private static boolean pollOne(CompletionQueue queue, WorkCompletion[] one) {
        try {
            return queue.poll(one) == 1;
        } catch (RdmaException e) {
            assertThat(e.code()).as(e.getMessage()).isEqualTo(ErrorCode.EIO);
            return false;
        }
    }

    private static String result(WorkCompletion done) {
        return " " + done.opcode().name() + " " + done.byteLength()
                + (done.hasImmediate() ? String.format(" imm=0x%x", done.immediateData()) : "")
                + (done.hasInvalidated() ? String.format(" inv=0x%x", done.invalidatedKey()) : "");
    }

    /** Every completion that a queue has given so far, in words. */
    public List<WorkCompletion> history(CompletionQueue queue) {
        return completions.getOrDefault(queue, List.of());
    }

    /** The asynchronous events since the last time. */
    public Tape events(String... types) {
        assertThat(seenEvents()).containsExactly(types);
        return this;
    }

    private List<String> seenEvents() {
        List<String> seen = new ArrayList<>();
        AsyncEvent event = device.awaitAsyncEvent(Duration.ZERO);
        while (event != null) {
            seen.add(event.type().name());
            event = device.awaitAsyncEvent(Duration.ZERO);
        }
        return seen;
    }

    public Tape state(QueuePairState state) {
        assertThat(qp.state()).isEqualTo(state);
        return this;
    }

    /** Nothing was sent, completed or reported that the test has not seen. */
    public Tape nothingMore() {
        return out().sendDone().receiveDone().events();
    }

    /** Whatever was sent, completed or reported so far is as good as seen. */
    public void forget() {
        sent();
        polled(sendQueue);
        polled(receiveQueue);
        seenEvents();
    }

    public long count(Counter counter) {
        return engine.counters().get(counter);
    }

    public long count(DropReason reason) {
        return engine.counters().get(reason);
    }

    /** Bytes of the region {@code mr}. */
    public byte[] memory(int offset, int length) {
        byte[] copy = new byte[length];
        bytes.get(offset, copy);
        return copy;
    }

    /** Ends the tape, on which nothing more may have happened. */
    @Override
    public void close() {
        nothingMore();
        SharedReceiveQueue shared = qp.sharedReceiveQueue();
        qp.close();
        if (shared != null) {
            shared.close();
        }
        region.close();
        domain.close();
        sendQueue.close();
        receiveQueue.close();
        device.close();
    }
}
