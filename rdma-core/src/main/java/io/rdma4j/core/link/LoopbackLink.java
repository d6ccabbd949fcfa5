package io.rdma4j.core.link;

import io.rdma4j.core.wire.Icrc;
import io.rdma4j.core.wire.PacketAddresses;
import io.rdma4j.core.wire.RocePacket;
import io.rdma4j.verbs.Gid;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A bottom link without a network: frames go to the handlers of the links it is joined to, and to its own; those to a
 * multicast group to each of these that has joined it. For engines that are embedded in one program, and for tests; nothing
 * is lost, and no time passes.
 *
 * <pre>{@code
 * LoopbackLink a = new LoopbackLink(gidA);
 * LoopbackLink b = new LoopbackLink(gidB);
 * a.join(b);                       // both ways
 * a.deliverTo(engineA);
 * b.deliverTo(engineB);
 * engineA.advance(nowNs, a);       // commits into a
 * a.carry(nowNs);                  // hands to engineB what a holds
 * }</pre>
 *
 * <p>Frames wait here until {@link #carry}, at most {@link #MAX_FRAMES}; then claims fail. One thread owns all links that
 * are joined, and their engines.
 */
public final class LoopbackLink implements Link, MulticastNetwork {
    /** Frames that wait to be carried; when so many do, claims fail. */
    public static final int MAX_FRAMES = 1_024;

    private static final int LARGEST_FRAME = 4_224;

    private final Gid gid;
    private final Icrc icrc = new Icrc();
    private final PacketAddresses addresses = new PacketAddresses();
    private final Arrival arrival = new Arrival();
    private final List<LoopbackLink> joined = new ArrayList<>();
    private final Set<Gid> groups = new HashSet<>();
    private final ArrayDeque<Frame> free = new ArrayDeque<>();
    private final ArrayDeque<Frame> waiting = new ArrayDeque<>();
    private @Nullable DatagramHandler handler;
    private @Nullable Frame claimed;
    private int frames;
    private long undeliverable;

    /** The link of the device that has this GID. */
    public LoopbackLink(Gid gid) {
        this.gid = gid;
        joined.add(this);
    }

    /** Lets each reach the other, and only them: joins are not passed on. */
    public void join(LoopbackLink other) {
        if (other.gid.equals(gid)) {
            throw new IllegalArgumentException("two links with the GID " + gid + " cannot be told apart");
        }
        joined.add(other);
        other.joined.add(this);
    }

    /** Says who takes what is sent to this link's GID; until then it is thrown away. */
    public void deliverTo(DatagramHandler receiver) {
        handler = receiver;
    }

    @Override
    public void joinGroup(Gid group) {
        groups.add(group);
    }

    @Override
    public void leaveGroup(Gid group) {
        groups.remove(group);
    }

    /** How many frames went to a GID that no joined link has, or whose link has no handler. */
    public long undeliverable() {
        return undeliverable;
    }

    @Override
    public boolean claim(Path path, int length) {
        if (claimed != null) {
            throw new IllegalStateException("a frame is claimed already");
        }
        if (length <= 0 || length % 4 != 0 || length > LARGEST_FRAME - RocePacket.ICRC_LENGTH) {
            throw new IllegalArgumentException("no frame has " + length + " bytes before its ICRC");
        }
        Frame frame = free.poll();
        if (frame == null) {
            if (frames == MAX_FRAMES) {
                return false;
            }
            frames++;
            frame = new Frame(path);
        }
        frame.path = path;
        frame.length = length;
        claimed = frame;
        return true;
    }

    @Override
    public ByteBuffer buffer() {
        return claimed().bytes;
    }

    @Override
    public int offset() {
        return 0;
    }

    @Override
    public void commit() {
        Frame frame = claimed();
        claimed = null;
        Gid to = frame.path.remote();
        addresses
                .source(gid.addressHigh(), gid.addressLow(), gid.devicePort())
                .destination(to.addressHigh(), to.addressLow(), to.devicePort());
        Icrc.write(
                frame.bytes, frame.length, icrc.compute(addresses, lastIdentification(), frame.bytes, 0, frame.length));
        frame.length += RocePacket.ICRC_LENGTH;
        waiting.add(frame);
    }

    @Override
    public void cancel() {
        free.push(claimed());
        claimed = null;
    }

    @Override
    public void flush() {
        // Frames wait for carry: an engine must not be called from within its own turn.
    }

    /** Always 0, as a UDP socket that sends with DF has it. */
    @Override
    public int lastIdentification() {
        return 0;
    }

    /**
     * Hands over what waited when the call began; what the handlers' engines send in answer waits for their turns.
     *
     * @return how many frames went
     */
    public int carry(long nowNs) {
        int count = waiting.size();
        for (int i = 0; i < count; i++) {
            Frame frame = waiting.remove();
            hand(frame, nowNs);
            free.push(frame);
        }
        return count;
    }

    private void hand(Frame frame, long nowNs) {
        Gid to = frame.path.remote();
        boolean taken = false;
        for (int i = 0; i < joined.size(); i++) {
            LoopbackLink link = joined.get(i);
            DatagramHandler receiver = link.handler;
            if (receiver != null && (link.gid.equals(to) || link.groups.contains(to))) {
                arrival.local(to.addressHigh(), to.addressLow(), to.devicePort());
                arrival.sender(gid.addressHigh(), gid.addressLow(), gid.devicePort());
                arrival.trafficClass = frame.path.trafficClass();
                arrival.hopLimit = frame.path.hopLimit();
                receiver.onDatagram(frame.bytes, 0, frame.length, arrival, nowNs);
                taken = true;
            }
        }
        if (!taken) {
            undeliverable++;
        }
    }

    private Frame claimed() {
        Frame frame = claimed;
        if (frame == null) {
            throw new IllegalStateException("no frame is claimed");
        }
        return frame;
    }

    private static final class Frame {
        final ByteBuffer bytes = ByteBuffer.allocateDirect(LARGEST_FRAME);
        Path path;
        int length;

        Frame(Path path) {
            this.path = path;
        }
    }
}
