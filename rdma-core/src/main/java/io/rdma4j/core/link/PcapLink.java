package io.rdma4j.core.link;

import io.rdma4j.core.pcap.IpEnvelope;
import io.rdma4j.core.pcap.PcapWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;

/**
 * Records the first frames of both directions into a capture file and passes everything on.
 *
 * <p>Sent frames are written with the identification the bottom link gave them, received ones with the identification that
 * explains their ICRC, so that a reader of the file finds every good frame good. Recording ends, with a warning, when the
 * file cannot be written; traffic never does. Owner thread only.
 */
public final class PcapLink extends FrameRecorder {
    private final PcapWriter writer;
    private final LongSupplier nanosSince1970;
    private long framesLeft;

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
        super(link, handler);
        this.writer = writer;
        this.framesLeft = frames;
        this.nanosSince1970 = nanosSince1970;
    }

    @Override
    void write(String event, IpEnvelope envelope, ByteBuffer buffer, int offset, int length) throws IOException {
        writer.write(nanosSince1970.getAsLong(), envelope, buffer, offset, length);
        if (--framesLeft <= 0) {
            close();
        }
    }

    @Override
    void flushRecord() throws IOException {
        writer.flush();
    }

    @Override
    void closeRecord() throws IOException {
        writer.close();
    }

    @Override
    String what() {
        return "capture file";
    }
}
