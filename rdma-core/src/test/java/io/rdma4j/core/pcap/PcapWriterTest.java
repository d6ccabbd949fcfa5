package io.rdma4j.core.pcap;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.wire.Bth;
import io.rdma4j.core.wire.DropReason;
import io.rdma4j.core.wire.Icrc;
import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.PacketAddresses;
import io.rdma4j.core.wire.RocePacket;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PcapWriterTest {
    private static final long MAPPED = 0xFFFF_0000_0000L;

    private final PacketAddresses ipv4 =
            new PacketAddresses().source(0, MAPPED | 0xC0000202L, 50_752).destination(0, MAPPED | 0xC0000203L, 4791);
    private final PacketAddresses ipv6 =
            new PacketAddresses().source(0xFD00479100000000L, 2, 50_752).destination(0xFD00479100000000L, 3, 4791);

    @Test
    void writesTrueFramesAroundPackets() throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(100);
        seal(buffer, 10, 17, ipv4, 7);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (PcapWriter writer = new PcapWriter(out)) {
            writer.write(1_000_000_001_999L, new IpEnvelope(ipv4, 7, 0x6A, 17, 0), buffer, 10, 33);
            seal(buffer, 10, 17, ipv6, 0);
            writer.write(-1_000, new IpEnvelope(ipv6, 0, 0x20, 255, 0x12345), buffer, 10, 33);
        }

        List<PcapPacket> packets = Captures.read(out.toByteArray());
        assertThat(packets)
                .extracting(PcapPacket::timestampNanos)
                .containsExactly(1_000_000_001_000L, 4_294_967_295_999_999_000L);
        RoceFrame first = frame(packets.get(0));
        assertThat(first.isIcrcValid()).isTrue();
        assertThat(first.line()).startsWith("192.0.2.2:50752>192.0.2.3 id=7 df=1 ttl=17 tos=0x6a RC_SEND_ONLY ");
        assertThat(first.ipv4().checksum()).isEqualTo(first.ipv4().computeChecksum());
        assertThat(first.udp().checksum()).isNotZero().isEqualTo(first.udp().computeChecksum(first.addresses()));
        RoceFrame second = frame(packets.get(1));
        assertThat(second.isIcrcValid()).isTrue();
        assertThat(second.line())
                .startsWith("[fd00:4791::2]:50752>[fd00:4791::3] flow=0x12345 ttl=255 tos=0x20 RC_SEND_ONLY ");
        assertThat(second.udp().checksum()).isEqualTo(second.udp().computeChecksum(second.addresses()));
    }

    /** What a receiver does: the sum over pseudo header, UDP header and payload, checksum included, is all ones. */
    @Property(tries = 100)
    void aReceiverFindsTheUdpChecksumRight(@ForAll @IntRange(min = 16, max = 60) int length, @ForAll long seed)
            throws IOException {
        for (PacketAddresses addresses : List.of(ipv4, ipv6)) {
            byte[] packet = new byte[length];
            new Random(seed).nextBytes(packet);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (PcapWriter writer = new PcapWriter(out)) {
                writer.write(0, IpEnvelope.of(addresses, 1), ByteBuffer.wrap(packet), 0, length);
            }
            ByteBuffer ip = Captures.read(out.toByteArray()).get(0).data();

            int udpAt = addresses.isIpv4() ? 20 : 40;
            int udpLength = ip.limit() - udpAt;
            // both addresses stand right before the UDP header
            int from = addresses.isIpv4() ? 12 : 8;
            long sum = 17 + udpLength;
            for (int i = from; i < ip.limit(); i++) {
                sum += (ip.get(i) & 0xFF) << (i % 2 == 0 ? 8 : 0);
            }
            assertThat(sum % 0xFFFF).isZero();
            assertThat(udpLength).isEqualTo(8 + length);
        }
    }

    @Test
    void copiesCapturesFrameByFrame(@TempDir Path directory) throws IOException {
        Path copy = directory.resolve("copy.pcap");
        List<RoceFrame> frames = Golden.frames("v6_rc_all.pcap");
        try (PcapWriter writer = PcapWriter.create(copy)) {
            for (RoceFrame frame : frames) {
                ByteBuffer bytes = frame.bytes();
                writer.write(frame.timestampNanos(), bytes);
                assertThat(bytes.position()).isZero();
            }
            writer.flush();
            assertThat(Files.size(copy)).isPositive();
        }

        try (PcapReader reader = PcapReader.open(copy)) {
            assertThat(reader.linkType()).isEqualTo(LinkType.RAW_IP);
            for (RoceFrame frame : frames) {
                RoceFrame read = frame(reader.next());
                assertThat(read.line()).isEqualTo(frame.line());
                assertThat(read.timestampNanos()).isEqualTo(frame.timestampNanos());
            }
            assertThat(reader.next()).isNull();
        }
    }

    @Property(tries = 500)
    void whateverIsWrittenIsReadAndEncodesToTheSameBytes(
            @ForAll long seed, @ForAll @IntRange(max = 255) int code, @ForAll @IntRange(max = 200) int rest)
            throws IOException {
        Random random = new Random(seed);
        Opcode opcode = Opcode.of(code);
        int length = (opcode == null ? Bth.LENGTH : opcode.headerLength()) + rest + RocePacket.ICRC_LENGTH;
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        bytes[0] = (byte) code;
        if (random.nextInt(4) != 0) {
            bytes[1] &= (byte) 0xC0;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (PcapWriter writer = new PcapWriter(out)) {
            PacketAddresses addresses = random.nextBoolean() ? ipv4 : ipv6;
            writer.write(0, IpEnvelope.of(addresses, random.nextInt(65_536)), ByteBuffer.wrap(bytes), 0, length);
        }

        PcapPacket packet = Captures.read(out.toByteArray()).get(0);
        RoceFrame frame = frame(packet);
        DropReason reason = new RocePacket().parse(ByteBuffer.wrap(bytes), 0, length);

        assertThat(frame.malformed()).isEqualTo(reason);
        assertThat(frame.encode()).as(frame.line()).isEqualTo(packet.data().array());
        assertThat(frame.fields()).containsKey(reason == null ? "payloadLength" : "malformed");
    }

    private static void seal(ByteBuffer buffer, int at, int payload, PacketAddresses addresses, int identification) {
        int length = Bth.LENGTH + payload;
        new Bth().wrap(buffer, at).init(Opcode.RC_SEND_ONLY, 17, 42).padCount(-payload & 3);
        Icrc.write(buffer, at + length, new Icrc().compute(addresses, identification, buffer, at, length));
    }

    private static RoceFrame frame(PcapPacket packet) {
        CapturedFrame frame = new FrameDecoder().decode(packet);
        assertThat(frame).as(frame.line()).isInstanceOf(RoceFrame.class);
        return (RoceFrame) frame;
    }
}
