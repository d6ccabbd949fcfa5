package io.rdma4j.core.pcap;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Capture files made by hand, and what is read from them. */
final class Captures {
    static final int MICROS = 0xA1B2C3D4;
    static final int NANOS = 0xA1B23C4D;

    private Captures() {}

    static byte[] fileHeader(ByteOrder order, int magic, int linkType) {
        return ByteBuffer.allocate(24)
                .order(order)
                .putInt(magic)
                .putShort((short) 2)
                .putShort((short) 4)
                .putInt(12, 0)
                .putInt(16, 65_535)
                .putInt(20, linkType)
                .array();
    }

    static byte[] record(ByteOrder order, int seconds, int ticks, int originalLength, byte[] data) {
        ByteBuffer record = ByteBuffer.allocate(16 + data.length).order(order);
        record.putInt(seconds)
                .putInt(ticks)
                .putInt(data.length)
                .putInt(originalLength)
                .put(data);
        return record.array();
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }

    static PcapReader reader(byte[] file) throws IOException {
        return new PcapReader(new ByteArrayInputStream(file), "test.pcap");
    }

    static List<PcapPacket> read(byte[] file) throws IOException {
        List<PcapPacket> packets = new ArrayList<>();
        try (PcapReader reader = reader(file)) {
            for (PcapPacket packet = reader.next(); packet != null; packet = reader.next()) {
                packets.add(packet);
            }
        }
        return packets;
    }

    /** A record as the reader would give it. */
    static PcapPacket packet(LinkType linkType, String hex) {
        byte[] data = hex(hex);
        return new PcapPacket(0, data.length, linkType, ByteBuffer.wrap(data));
    }
}
