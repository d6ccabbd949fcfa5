package io.rdma4j.core.pcap;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reads classic pcap files record by record: either byte order, microseconds or nanoseconds. A file that is not such a
 * capture, or is broken, ends in an {@link IOException} that says what and where. Not thread-safe.
 */
public final class PcapReader implements AutoCloseable {
    /** No capture has longer records; what claims to be longer is a broken file. */
    public static final int MAX_RECORD_LENGTH = 1 << 20;

    private static final int FILE_HEADER = 24;
    private static final int RECORD_HEADER = 16;
    private static final int MAGIC_MICROS = 0xA1B2C3D4;
    private static final int MAGIC_NANOS = 0xA1B23C4D;
    private static final int MAGIC_PCAPNG = 0x0A0D0D0A;
    private static final int MAJOR_VERSION = 2;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final InputStream in;
    private final String name;
    private final ByteOrder order;
    private final int nanosPerTick;
    private final LinkType linkType;
    private long records;

    /** Opens a file and reads its header. */
    public static PcapReader open(Path file) throws IOException {
        InputStream in = new BufferedInputStream(Files.newInputStream(file));
        try {
            return new PcapReader(in, file.toString());
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }

    /**
     * Reads the header of a capture that comes as a stream.
     *
     * @param in closed by {@link #close}
     * @param name what error texts call the capture
     */
    public PcapReader(InputStream in, String name) throws IOException {
        this.in = in;
        this.name = name;
        ByteBuffer header = ByteBuffer.wrap(in.readNBytes(FILE_HEADER));
        int magic = header.limit() < 4 ? 0 : header.getInt(0);
        if (magic == MAGIC_PCAPNG) {
            throw new IOException(name + ": a pcapng file; convert it first (editcap -F pcap)");
        }
        order = isMagic(Integer.reverseBytes(magic)) ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        header.order(order);
        if (header.limit() < FILE_HEADER || !isMagic(header.getInt(0))) {
            throw new IOException(name + ": not a pcap file");
        }
        nanosPerTick = header.getInt(0) == MAGIC_NANOS ? 1 : 1000;
        int major = header.getShort(4) & 0xFFFF;
        if (major != MAJOR_VERSION) {
            throw new IOException(name + ": pcap version " + major + " is not known");
        }
        // The upper half of the field tells about frame check sequences.
        int code = header.getInt(20) & 0xFFFF;
        LinkType known = LinkType.of(code);
        if (known == null) {
            throw new IOException(name + ": link type " + code + " is not supported");
        }
        linkType = known;
    }

    private static boolean isMagic(int value) {
        return value == MAGIC_MICROS || value == MAGIC_NANOS;
    }

    /** What every record begins with. */
    public LinkType linkType() {
        return linkType;
    }

    /**
     * Reads the next record.
     *
     * @return null at the end of the file
     * @throws IOException when the file ends inside a record or a length makes no sense
     */
    public @Nullable PcapPacket next() throws IOException {
        ByteBuffer header = ByteBuffer.wrap(in.readNBytes(RECORD_HEADER)).order(order);
        if (header.limit() == 0) {
            return null;
        }
        records++;
        if (header.limit() < RECORD_HEADER) {
            throw new IOException(name + ": the file ends inside the header of record " + records);
        }
        int captured = header.getInt(8);
        if (captured < 0 || captured > MAX_RECORD_LENGTH) {
            throw new IOException(
                    name + ": record " + records + " claims to hold " + Integer.toUnsignedString(captured) + " bytes");
        }
        byte[] data = in.readNBytes(captured);
        if (data.length < captured) {
            throw new IOException(name + ": the file ends inside record " + records + ", after " + data.length + " of "
                    + captured + " bytes");
        }
        long seconds = header.getInt(0) & 0xFFFFFFFFL;
        long ticks = header.getInt(4) & 0xFFFFFFFFL;
        long nanos = seconds * NANOS_PER_SECOND + ticks * nanosPerTick;
        return new PcapPacket(nanos, header.getInt(12), linkType, ByteBuffer.wrap(data));
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
