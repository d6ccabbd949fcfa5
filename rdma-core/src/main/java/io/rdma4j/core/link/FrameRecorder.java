package io.rdma4j.core.link;

import io.rdma4j.core.pcap.IpEnvelope;
import io.rdma4j.core.wire.Icrc;
import io.rdma4j.core.wire.PacketAddresses;
import io.rdma4j.core.wire.RocePacket;
import io.rdma4j.verbs.AddressVector;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A link that writes down the frames of both directions, each with the IP header it has or had.
 *
 * <p>Sent frames have the identification the bottom link gave them, received ones the identification that explains their
 * ICRC, so that a reader finds every good frame good. Recording ends, with a warning, when it fails; traffic never does.
 */
abstract class FrameRecorder extends LinkMiddleware implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FrameRecorder.class);

    private final PacketAddresses addresses = new PacketAddresses();
    private final Icrc icrc = new Icrc();
    private boolean recording = true;
    private boolean unflushed;
    private @Nullable Path claimedPath;
    private int claimedLength;

    FrameRecorder(Link link, DatagramHandler handler) {
        super(link, handler);
    }

    /** Writes a frame down; the envelope's addresses are reused. */
    abstract void write(String event, IpEnvelope envelope, ByteBuffer buffer, int offset, int length)
            throws IOException;

    /** Makes what was written visible to readers. */
    abstract void flushRecord() throws IOException;

    /** Called once, when recording has ended. */
    abstract void closeRecord() throws IOException;

    /** What is written down, for the warning. */
    abstract String what();

    @Override
    public final boolean claim(Path path, int length) {
        claimedPath = path;
        claimedLength = length;
        return super.claim(path, length);
    }

    @Override
    public final void commit() {
        Path path = claimedPath;
        if (!recording || path == null) {
            super.commit();
            return;
        }
        // The bytes stay where they are until the next claim, also when the commit sends them.
        ByteBuffer buffer = buffer();
        int offset = offset();
        super.commit();
        addresses
                .source(
                        path.local().addressHigh(),
                        path.local().addressLow(),
                        path.local().devicePort())
                .destination(
                        path.remote().addressHigh(),
                        path.remote().addressLow(),
                        path.remote().devicePort());
        IpEnvelope envelope =
                new IpEnvelope(addresses, lastIdentification(), path.trafficClass(), path.hopLimit(), path.flowLabel());
        record("sent", envelope, buffer, offset, claimedLength + RocePacket.ICRC_LENGTH);
    }

    @Override
    public final void flush() {
        super.flush();
        if (unflushed && recording) {
            unflushed = false;
            try {
                flushRecord();
            } catch (IOException e) {
                giveUp(e);
            }
        }
    }

    @Override
    public final void onDatagram(ByteBuffer buffer, int offset, int length, Arrival arrival, long nowNs) {
        recordArrival("received", buffer, offset, length, arrival);
        pass(buffer, offset, length, arrival, nowNs);
    }

    /** Writes down a frame that came, or did not quite. */
    final void recordArrival(String event, ByteBuffer buffer, int offset, int length, Arrival arrival) {
        if (!recording) {
            return;
        }
        addresses
                .source(arrival.senderHigh, arrival.senderLow, arrival.senderPort)
                .destination(arrival.localHigh, arrival.localLow, arrival.localPort);
        int identification = arrival.identificationHint;
        if (length >= RocePacket.MIN_LENGTH && icrc.verify(addresses, identification, buffer, offset, length)) {
            identification = icrc.lastIdentification();
        }
        IpEnvelope envelope = new IpEnvelope(
                addresses,
                identification,
                arrival.trafficClass == Arrival.UNKNOWN ? 0 : arrival.trafficClass,
                arrival.hopLimit == Arrival.UNKNOWN ? AddressVector.DEFAULT_HOP_LIMIT : arrival.hopLimit,
                0);
        record(event, envelope, buffer, offset, length);
    }

    private void record(String event, IpEnvelope envelope, ByteBuffer buffer, int offset, int length) {
        try {
            write(event, envelope, buffer, offset, length);
            unflushed = true;
        } catch (IOException e) {
            giveUp(e);
        }
    }

    private void giveUp(IOException cause) {
        LOG.warn("recording ends, the {} cannot be written: {}", what(), cause.toString());
        close();
    }

    /** Ends recording; traffic goes on. */
    @Override
    public final void close() {
        if (!recording) {
            return;
        }
        recording = false;
        try {
            closeRecord();
        } catch (IOException e) {
            LOG.warn("the {} could not be closed: {}", what(), e.toString());
        }
    }
}
