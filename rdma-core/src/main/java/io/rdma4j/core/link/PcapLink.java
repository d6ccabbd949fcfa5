package io.rdma4j.core.link;

import io.rdma4j.core.pcap.IpEnvelope;
import io.rdma4j.core.pcap.PcapWriter;
import io.rdma4j.core.wire.Icrc;
import io.rdma4j.core.wire.PacketAddresses;
import io.rdma4j.core.wire.RocePacket;
import io.rdma4j.verbs.AddressVector;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records the first frames of both directions into a capture file and passes everything on. It stands between the bottom
 * link and the engine: it is the engine's link, and the link's handler.
 *
 * <p>Sent frames are written with the identification the bottom link gave them, received ones with the identification that
 * explains their ICRC, so that a reader of the file finds every good frame good. Recording ends, with a warning, when the
 * file cannot be written; traffic never does. Owner thread only.
 */
public final class PcapLink implements Link, DatagramHandler, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PcapLink.class);

    private final Link link;
    private final DatagramHandler handler;
    private final LongSupplier nanosSince1970;
    private final PacketAddresses addresses = new PacketAddresses();
    private final Icrc icrc = new Icrc();
    private @Nullable PcapWriter writer;
    private long framesLeft;
    private boolean unflushed;
    private @Nullable Path claimedPath;
    private int claimedLength;

    /**
     * Starts recording.
     *
     * @param link where sent frames go on to
     * @param handler where received frames go on to
     * @param writer closed when enough is recorded, or by {@link #close}
     * @param frames how many frames are recorded, both directions together
     * @param nanosSince1970 the time that records are stamped with
     */
    public PcapLink(Link link, DatagramHandler handler, PcapWriter writer, long frames, LongSupplier nanosSince1970) {
        this.link = link;
        this.handler = handler;
        this.writer = writer;
        this.framesLeft = frames;
        this.nanosSince1970 = nanosSince1970;
    }

    @Override
    public boolean claim(Path path, int length) {
        claimedPath = path;
        claimedLength = length;
        return link.claim(path, length);
    }

    @Override
    public ByteBuffer buffer() {
        return link.buffer();
    }

    @Override
    public int offset() {
        return link.offset();
    }

    @Override
    public void commit() {
        Path path = claimedPath;
        if (writer == null || path == null) {
            link.commit();
            return;
        }
        // The bytes stay where they are until the next claim, also when the commit sends them.
        ByteBuffer buffer = link.buffer();
        int offset = link.offset();
        link.commit();
        addresses
                .source(
                        path.local().addressHigh(),
                        path.local().addressLow(),
                        path.local().devicePort())
                .destination(
                        path.remote().addressHigh(),
                        path.remote().addressLow(),
                        path.remote().devicePort());
        IpEnvelope envelope = new IpEnvelope(
                addresses, link.lastIdentification(), path.trafficClass(), path.hopLimit(), path.flowLabel());
        record(envelope, buffer, offset, claimedLength + RocePacket.ICRC_LENGTH);
    }

    @Override
    public void cancel() {
        link.cancel();
    }

    @Override
    public void flush() {
        link.flush();
        PcapWriter open = writer;
        if (unflushed && open != null) {
            unflushed = false;
            try {
                open.flush();
            } catch (IOException e) {
                giveUp(e);
            }
        }
    }

    @Override
    public int lastIdentification() {
        return link.lastIdentification();
    }

    @Override
    public void onDatagram(ByteBuffer buffer, int offset, int length, Arrival arrival, long nowNs) {
        if (writer != null) {
            recordArrival(buffer, offset, length, arrival);
        }
        handler.onDatagram(buffer, offset, length, arrival, nowNs);
    }

    private void recordArrival(ByteBuffer buffer, int offset, int length, Arrival arrival) {
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
        record(envelope, buffer, offset, length);
    }

    private void record(IpEnvelope envelope, ByteBuffer buffer, int offset, int length) {
        PcapWriter open = writer;
        if (open == null) {
            return;
        }
        try {
            open.write(nanosSince1970.getAsLong(), envelope, buffer, offset, length);
        } catch (IOException e) {
            giveUp(e);
            return;
        }
        unflushed = true;
        if (--framesLeft <= 0) {
            close();
        }
    }

    private void giveUp(IOException cause) {
        LOG.warn("recording ends, the capture file cannot be written: {}", cause.toString());
        close();
    }

    /** Ends recording; traffic goes on. */
    @Override
    public void close() {
        PcapWriter open = writer;
        writer = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                LOG.warn("the capture file could not be closed: {}", e.toString());
            }
        }
    }
}
