package io.rdma4j.core.link;

import io.rdma4j.core.pcap.IpEnvelope;
import io.rdma4j.core.pcap.RoceFrame;
import io.rdma4j.core.wire.Bth;
import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.PacketAddresses;
import io.rdma4j.core.wire.RocePacket;
import java.io.IOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Writes each frame of both directions as one line of text: the time (UTC), {@code sent} or {@code received}, and the
 * frame's headers, with a verdict on its ICRC. Told by a {@link FaultyLink} below what it did, it has lines for frames that
 * never came, too. Recording ends, with a warning, when the text cannot be written; traffic never does. Owner thread only.
 */
public final class TracingLink extends FrameRecorder implements FaultListener {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSS", Locale.ROOT);
    private static final long NANOS_OF_DAY = 86_400_000_000_000L;

    private final Writer sink;
    private final LongSupplier nanosSince1970;

    /**
     * Starts tracing.
     *
     * @param link where sent frames go on to
     * @param handler where received frames go on to
     * @param sink takes the lines; closed by {@link #close}
     * @param nanosSince1970 the time that lines begin with
     */
    public TracingLink(Link link, DatagramHandler handler, Writer sink, LongSupplier nanosSince1970) {
        super(link, handler);
        this.sink = sink;
        this.nanosSince1970 = nanosSince1970;
        warmUp();
    }

    /** The first line loads many classes, which on a busy machine takes as long as a few transport timers: not in traffic. */
    private static void warmUp() {
        ByteBuffer frame = ByteBuffer.allocate(Opcode.RC_ACKNOWLEDGE.headerLength() + RocePacket.ICRC_LENGTH);
        new Bth().wrap(frame, 0).init(Opcode.RC_ACKNOWLEDGE, 0, 0);
        PacketAddresses addresses = new PacketAddresses().source(0, 0, 0).destination(0, 0, 0);
        String line = RoceFrame.of(0, IpEnvelope.of(addresses, 0), frame, 0, frame.capacity())
                .line();
        assert !line.isEmpty();
    }

    @Override
    public void onFault(Fault fault, ByteBuffer buffer, int offset, int length, Arrival arrival) {
        recordArrival(fault.label(), buffer, offset, length, arrival);
    }

    @Override
    void write(String event, IpEnvelope envelope, ByteBuffer buffer, int offset, int length) throws IOException {
        long now = nanosSince1970.getAsLong();
        LocalTime time = LocalTime.ofNanoOfDay(Math.floorMod(now, NANOS_OF_DAY));
        sink.write(String.format(Locale.ROOT, "%s %-10s ", TIME.format(time), event));
        sink.write(
                length < RocePacket.MIN_LENGTH
                        ? length + " bytes, too short for a frame"
                        : RoceFrame.of(now, envelope, buffer, offset, length).line());
        sink.write('\n');
    }

    @Override
    void flushRecord() throws IOException {
        sink.flush();
    }

    @Override
    void closeRecord() throws IOException {
        sink.close();
    }

    @Override
    String what() {
        return "trace";
    }
}
