package io.rdma4j.core.link;

import io.rdma4j.core.wire.PacketAddresses;
import io.rdma4j.core.wire.RocePacket;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Loses, repeats, reorders, damages and delays the frames that its device receives; what the device sends is left alone, so
 * for faults both ways both devices need one. All chance comes from one generator: the same frames in the same order meet
 * the same faults.
 *
 * <p>What arrives later is kept here, at most {@link #MAX_HELD_FRAMES} frames; for that the driver calls
 * {@link #deliverDue} in every turn, and comes back at {@link #nextDeadlineNs}. Owner thread, apart from {@link #counts}.
 */
public final class FaultyLink extends LinkMiddleware {
    /** Frames kept for later; what finds no room is lost, and counted. */
    public static final int MAX_HELD_FRAMES = 4_096;

    /** Frames that overtake a reordered one at most. */
    public static final int MAX_OVERTAKING = 4;

    /** How long a reordered frame waits for others at most, and a copy lets wait, in nanoseconds. */
    public static final long MAX_HOLD_NS = 1_000_000;

    /** {@link #nextDeadlineNs} when nothing is kept. */
    public static final long NO_DEADLINE = Long.MAX_VALUE;

    /** A longer datagram is no RoCE frame, nor is one shorter than {@link RocePacket#MIN_LENGTH}; it passes. */
    private static final int LARGEST_FRAME = 4_224;

    private final LinkFaults faults;
    private final RandomGenerator random;
    private FaultListener listener = FaultListener.NONE;
    private final FrameDamage damage;
    private final PacketAddresses addresses = new PacketAddresses();
    private final ArrayDeque<Held> free = new ArrayDeque<>();
    private final PriorityQueue<Held> later = new PriorityQueue<>();
    private final List<Held> overtaken = new ArrayList<>();
    private final AtomicLongArray counts = new AtomicLongArray(Fault.values().length);
    private int frames;
    private long sequence;

    /**
     * Disturbs what goes up from the link to the handler.
     *
     * @param faults how often; its seed is not used here
     * @param random where all chance comes from
     */
    public FaultyLink(Link link, DatagramHandler handler, LinkFaults faults, RandomGenerator random) {
        super(link, handler);
        this.faults = faults;
        this.random = random;
        this.damage = new FrameDamage(random);
    }

    /** Says who hears of every fault. */
    public void tellTo(FaultListener who) {
        listener = who;
    }

    /** How often each fault was met, by {@code fault_} and its name. Any thread. */
    public Map<String, Long> counts() {
        Map<String, Long> all = new LinkedHashMap<>();
        for (Fault fault : Fault.values()) {
            all.put("fault_" + fault.label(), counts.get(fault.ordinal()));
        }
        return all;
    }

    @Override
    public void onDatagram(ByteBuffer buffer, int offset, int length, Arrival arrival, long nowNs) {
        if (length > LARGEST_FRAME || length < RocePacket.MIN_LENGTH) {
            pass(buffer, offset, length, arrival, nowNs);
            return;
        }
        // All four are drawn for every frame, so that one probability does not shift the others' luck.
        boolean lost = draw(faults.loss());
        boolean twice = draw(faults.duplicate());
        boolean late = draw(faults.reorder());
        boolean damaged = draw(faults.corrupt());
        if (lost) {
            tell(Fault.LOST, buffer, offset, length, arrival);
            return;
        }
        if (!twice && !late && !damaged && faults.delayNs() == 0) {
            pass(buffer, offset, length, arrival, nowNs);
            frameHasPassed(nowNs);
            return;
        }
        if (twice) {
            tell(Fault.DUPLICATED, buffer, offset, length, arrival);
            keep(hold(buffer, offset, length, arrival), nowNs + random.nextLong(1, MAX_HOLD_NS));
        }
        Held frame = hold(buffer, offset, length, arrival);
        if (frame == null) {
            return;
        }
        if (damaged) {
            tell(Fault.CORRUPTED, buffer, offset, length, arrival);
            damage(frame);
        }
        if (late) {
            tell(Fault.REORDERED, buffer, offset, length, arrival);
            frame.dueNs = nowNs + faults.delayNs() + MAX_HOLD_NS;
            frame.framesLeft = random.nextInt(1, MAX_OVERTAKING + 1);
            overtaken.add(frame);
        } else if (faults.delayNs() > 0) {
            keep(frame, nowNs);
        } else {
            deliver(frame, nowNs);
            frameHasPassed(nowNs);
        }
    }

    /** Keeps a frame that would have arrived then, without the delay. */
    private void keep(@Nullable Held frame, long timeNs) {
        if (frame != null) {
            frame.dueNs = timeNs + faults.delayNs();
            later.add(frame);
        }
    }

    private void damage(Held frame) {
        Arrival arrival = frame.arrival;
        addresses
                .source(arrival.senderHigh, arrival.senderLow, arrival.senderPort)
                .destination(arrival.localHigh, arrival.localLow, arrival.localPort);
        frame.length = damage.damage(frame.bytes, 0, frame.length, addresses, arrival.identificationHint);
    }

    /**
     * Delivers what was kept until now.
     *
     * @return how many frames
     */
    public int deliverDue(long nowNs) {
        int delivered = 0;
        for (Held head = later.peek(); head != null && head.dueNs <= nowNs; head = later.peek()) {
            later.remove();
            deliver(head, nowNs);
            frameHasPassed(nowNs);
            delivered++;
        }
        for (int i = 0; i < overtaken.size(); ) {
            if (overtaken.get(i).dueNs <= nowNs) {
                deliver(overtaken.remove(i), nowNs);
                delivered++;
            } else {
                i++;
            }
        }
        return delivered;
    }

    /** When {@link #deliverDue} has something to do even if nothing happens, or {@link #NO_DEADLINE}. */
    public long nextDeadlineNs() {
        Held head = later.peek();
        long next = head == null ? NO_DEADLINE : head.dueNs;
        for (Held frame : overtaken) {
            next = Math.min(next, frame.dueNs);
        }
        return next;
    }

    /** Those that waited for this frame to pass, and no other, follow it. */
    private void frameHasPassed(long nowNs) {
        for (int i = 0; i < overtaken.size(); ) {
            Held frame = overtaken.get(i);
            if (--frame.framesLeft == 0) {
                overtaken.remove(i);
                deliver(frame, nowNs);
            } else {
                i++;
            }
        }
    }

    private void deliver(Held frame, long nowNs) {
        pass(frame.bytes, 0, frame.length, frame.arrival, nowNs);
        free.push(frame);
    }

    /** A copy, or null when there is no room for one. */
    private @Nullable Held hold(ByteBuffer buffer, int offset, int length, Arrival arrival) {
        Held held = free.poll();
        if (held == null) {
            if (frames == MAX_HELD_FRAMES) {
                tell(Fault.NO_ROOM, buffer, offset, length, arrival);
                return null;
            }
            frames++;
            held = new Held();
        }
        held.bytes.put(0, buffer, offset, length);
        held.length = length;
        held.arrival.copyFrom(arrival);
        held.sequence = sequence++;
        return held;
    }

    private boolean draw(double probability) {
        return random.nextDouble() < probability;
    }

    private void tell(Fault fault, ByteBuffer buffer, int offset, int length, Arrival arrival) {
        counts.incrementAndGet(fault.ordinal());
        listener.onFault(fault, buffer, offset, length, arrival);
    }

    /** A frame that arrives later. */
    private static final class Held implements Comparable<Held> {
        final ByteBuffer bytes = ByteBuffer.allocateDirect(LARGEST_FRAME);
        final Arrival arrival = new Arrival();
        int length;
        long dueNs;
        long sequence;
        int framesLeft;

        @Override
        public int compareTo(Held other) {
            int byTime = Long.compare(dueNs, other.dueNs);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }
    }
}
