package io.rdma4j.core.pcap;

import io.rdma4j.core.wire.Ipv6Header;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes classic pcap files of IP packets (link type raw IP, microseconds, big-endian), which Wireshark and tcpdump read.
 * Not thread-safe.
 */
public final class PcapWriter implements AutoCloseable {
    private static final int MAX_PACKET = 65_535 + Ipv6Header.LENGTH;
    private static final int RECORD_HEADER = 16;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final OutputStream out;
    private final ByteBuffer record = ByteBuffer.allocate(RECORD_HEADER + MAX_PACKET);
    private final IpPacketWriter packets = new IpPacketWriter();

    /** Creates a file, or empties it, and writes the file header. */
    public static PcapWriter create(Path file) throws IOException {
        return new PcapWriter(new BufferedOutputStream(Files.newOutputStream(file)));
    }

    /**
     * Writes the file header to a stream.
     *
     * @param out closed by {@link #close}
     */
    public PcapWriter(OutputStream out) throws IOException {
        this.out = out;
        ByteBuffer header = ByteBuffer.allocate(24);
        header.putInt(0xA1B2C3D4).putShort((short) 2).putShort((short) 4);
        // time zone, accuracy of timestamps, the longest record, link type
        header.putInt(0).putInt(0).putInt(MAX_PACKET).putInt(LinkType.RAW_IP.code());
        out.write(header.array());
    }

    /**
     * Writes a RoCE packet with its IP and UDP headers, checksums included.
     *
     * @param timestampNanos nanoseconds since 1970
     * @param offset index of the BTH
     * @param length bytes from the BTH to the ICRC, both included
     */
    public void write(long timestampNanos, IpEnvelope envelope, ByteBuffer buffer, int offset, int length)
            throws IOException {
        packets.write(record, RECORD_HEADER, envelope, buffer, offset, length);
        writeRecord(timestampNanos, IpPacketWriter.headerLength(envelope) + length);
    }

    /** Writes a whole IP packet, from position to limit, which stay as they are. */
    public void write(long timestampNanos, ByteBuffer ipPacket) throws IOException {
        int length = ipPacket.remaining();
        record.put(RECORD_HEADER, ipPacket, ipPacket.position(), length);
        writeRecord(timestampNanos, length);
    }

    private void writeRecord(long timestampNanos, int length) throws IOException {
        record.putInt(0, (int) Math.floorDiv(timestampNanos, NANOS_PER_SECOND));
        record.putInt(4, (int) (Math.floorMod(timestampNanos, NANOS_PER_SECOND) / 1000));
        record.putInt(8, length);
        record.putInt(12, length);
        out.write(record.array(), 0, RECORD_HEADER + length);
    }

    /** Hands everything written so far to the file. */
    public void flush() throws IOException {
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
