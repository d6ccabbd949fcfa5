package io.rdma4j.udp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.unix.SegmentedDatagramPacket;
import io.rdma4j.core.link.Link;
import io.rdma4j.core.link.Path;
import io.rdma4j.core.wire.Icrc;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frames into datagrams. Claimed frames gather in one open {@link SendBatch}; a frame that cannot join it opens the next,
 * so the order on the wire is the order of claims, and the place in the batch, which over IPv4 is the identification the
 * kernel will give the frame, is fixed at the claim. A full batch leaves at once, the rest at {@link #flush}. Traffic class
 * and hop limit are the socket's, so when they change everything before leaves first; until it has, claims fail.
 *
 * <p>Batches under way are bounded: when the socket takes no more, claims fail until one has come back. A batch that came
 * back last is filled first, because it is the one still in the cache. Owner thread only.
 */
final class UdpLink implements Link {
    private static final Logger LOG = LoggerFactory.getLogger(UdpLink.class);

    /** Bounds what waits for the socket: 4 MiB. */
    static final int MAX_BATCHES = 64;

    private static final int ICRC_LENGTH = 4;

    private final Channel channel;
    private final Icrc icrc;
    private final Destinations destinations;
    private final PacketMarks marks;
    private final Runnable onRoom;
    private final SendErrors errors = new SendErrors();
    private final ArrayDeque<SendBatch> idle = new ArrayDeque<>(MAX_BATCHES);
    private int batches;
    private @Nullable SendBatch open;
    private @Nullable SendBatch claimed;
    private int claimedOffset;
    private int claimedLength;
    private int lastIdentification;
    private boolean refused;
    private boolean unflushed;
    private boolean emptying;

    /**
     * Makes the sending side of a socket.
     *
     * @param gso whether batches leave segmented, one write each
     * @param onRoom told when a claim was refused and there is room again
     */
    UdpLink(Channel channel, boolean gso, Icrc icrc, Runnable onRoom) {
        this.channel = channel;
        this.icrc = icrc;
        this.destinations = new Destinations((InetSocketAddress) channel.localAddress(), gso);
        this.marks = new PacketMarks(channel);
        this.onRoom = onRoom;
    }

    @Override
    public boolean claim(Path path, int length) {
        Destination destination = destinations.of(path);
        int frame = length + ICRC_LENGTH;
        SendBatch batch = open;
        if (batch == null || !batch.accepts(destination, frame)) {
            batch = next(destination);
            if (batch == null) {
                refused = true;
                return false;
            }
        }
        claimed = batch;
        claimedOffset = batch.used();
        claimedLength = length;
        return true;
    }

    @Override
    public ByteBuffer buffer() {
        return claimed().bytes();
    }

    @Override
    public int offset() {
        return claimedOffset;
    }

    @Override
    public void commit() {
        SendBatch batch = claimed();
        lastIdentification = batch.nextIdentification();
        int value = icrc.compute(
                batch.destination().addresses, lastIdentification, batch.bytes(), claimedOffset, claimedLength);
        Icrc.write(batch.bytes(), claimedOffset + claimedLength, value);
        batch.add(claimedLength + ICRC_LENGTH);
        if (batch.isFull()) {
            flush();
        }
    }

    @Override
    public void cancel() {
        // Nothing was added: the next claim gets the same room.
    }

    @Override
    public int lastIdentification() {
        return lastIdentification;
    }

    @Override
    public void flush() {
        SendBatch batch = open;
        if (batch != null) {
            open = null;
            write(batch);
        }
        if (unflushed) {
            unflushed = false;
            channel.flush();
        }
    }

    SendErrors errors() {
        return errors;
    }

    /** Whether everything committed and flushed has been taken by the socket. */
    boolean isDrained() {
        return idle.size() == batches;
    }

    private SendBatch claimed() {
        SendBatch batch = claimed;
        if (batch == null) {
            throw new IllegalStateException("no frame is claimed");
        }
        return batch;
    }

    /** Closes the open batch and opens one for a destination; null when too many are under way. */
    private @Nullable SendBatch next(Destination destination) {
        SendBatch previous = open;
        if (previous != null) {
            open = null;
            write(previous);
        }
        if (!mayMark(destination)) {
            return null;
        }
        SendBatch batch = idle.pollLast();
        if (batch == null) {
            if (batches == MAX_BATCHES) {
                return null;
            }
            batches++;
            batch = new SendBatch(destination);
        }
        batch.open(destination);
        open = batch;
        return batch;
    }

    /**
     * Whether what is written from here on leaves with the traffic class and hop limit of a destination. While the socket
     * is still to take what has others, nobody may claim, or one kind of traffic would hold up another for ever.
     */
    private boolean mayMark(Destination destination) {
        if (!emptying && marks.match(destination)) {
            return true;
        }
        flush();
        emptying = !isDrained();
        if (!emptying) {
            marks.set(destination);
        }
        return !emptying;
    }

    private void write(SendBatch batch) {
        if (batch.frames() == 0) {
            idle.addLast(batch);
            return;
        }
        unflushed = true;
        if (batch.frames() == 1 || batch.isSegmented()) {
            writeWhole(batch);
        } else {
            writeEach(batch);
        }
    }

    private void writeWhole(SendBatch batch) {
        InetSocketAddress to = batch.destination().socket;
        ByteBuf content = batch.content();
        batch.writeStarted();
        channel.write(
                        batch.isSegmented()
                                ? new SegmentedDatagramPacket(content, batch.length(0), to)
                                : new DatagramPacket(content, to))
                .addListener((ChannelFutureListener) future -> wholeEnded(batch, future.cause()));
    }

    private void writeEach(SendBatch batch) {
        ChannelFutureListener ended = future -> eachEnded(batch, future.cause());
        // Held until all are written, so that the batch cannot come back halfway.
        batch.writeStarted();
        int offset = 0;
        for (int i = 0; i < batch.frames(); i++) {
            batch.writeStarted();
            ByteBuf frame = batch.content(offset, batch.length(i));
            channel.write(new DatagramPacket(frame, batch.destination().socket)).addListener(ended);
            offset += batch.length(i);
        }
        ended(batch);
    }

    private void wholeEnded(SendBatch batch, @Nullable Throwable cause) {
        if (cause != null) {
            int errno = SendErrors.errno(cause);
            if (batch.isSegmented() && (errno == SendErrors.EIO || errno == SendErrors.EINVAL)) {
                resendEach(batch, cause);
            } else {
                errors.count(cause, batch.destination(), batch.frames());
            }
        }
        ended(batch);
    }

    private void eachEnded(SendBatch batch, @Nullable Throwable cause) {
        if (cause != null) {
            errors.count(cause, batch.destination(), 1);
        }
        ended(batch);
    }

    /** The kernel or the interface refuses segmented batches to this peer: none is tried again, and these go singly. */
    private void resendEach(SendBatch batch, Throwable cause) {
        Destination destination = batch.destination();
        if (destination.gso) {
            destination.gso = false;
            LOG.warn(
                    "segmented batches to {} are refused, frames go one by one: {}",
                    destination.socket,
                    cause.toString());
        }
        batch.dissolve();
        if (destination.ipv4) {
            resealWithoutPlace(batch);
        }
        writeEach(batch);
        channel.flush();
    }

    /** Frame k was sealed for identification k and now gets 0. */
    private void resealWithoutPlace(SendBatch batch) {
        ByteBuffer bytes = batch.bytes();
        int end = 0;
        for (int k = 0; k < batch.frames(); k++) {
            int length = batch.length(k) - ICRC_LENGTH;
            end += batch.length(k);
            int sealed = Icrc.read(bytes, end - ICRC_LENGTH);
            Icrc.write(bytes, end - ICRC_LENGTH, icrc.reidentify(sealed, length, k, 0));
        }
    }

    private void ended(SendBatch batch) {
        if (!batch.writeEnded()) {
            return;
        }
        idle.addLast(batch);
        if (refused) {
            refused = false;
            onRoom.run();
        }
    }
}
