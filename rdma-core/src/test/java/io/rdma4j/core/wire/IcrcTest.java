package io.rdma4j.core.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Random;
import java.util.zip.CRC32;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class IcrcTest {
    private static final int MAX_LENGTH = 4200;
    private static final long MAPPED = 0xFFFF_0000_0000L;

    private final Icrc icrc = new Icrc();
    private final PacketAddresses ipv4 = new PacketAddresses()
            .source(0, MAPPED | 0xC0000202L, 50752)
            .destination(0, MAPPED | 0xC0000203L, UdpHeader.ROCE_PORT);
    private final PacketAddresses ipv6 = new PacketAddresses()
            .source(0xFD00479100000000L, 2, 50752)
            .destination(0xFD00479100000000L, 3, UdpHeader.ROCE_PORT);

    @Test
    void isThatOfACongestionNotificationFromAConnectX4() {
        ByteBuffer bth =
                ByteBuffer.wrap(HexFormat.of().parseHex("8100ffff4000011800000000" + "00".repeat(16) + "82fd002a"));
        PacketAddresses addresses = new PacketAddresses()
                .source(0, MAPPED | 0x0A001101, 0)
                .destination(0, MAPPED | 0x0A001201, UdpHeader.ROCE_PORT);

        assertThat(icrc.compute(addresses, 0x718C, bth, 0, 28))
                .isEqualTo(0x2A00FD82)
                .isEqualTo(Icrc.read(bth, 28));
        assertThat(icrc.verify(addresses, 0, bth, 0, 32)).isTrue();
        assertThat(icrc.lastIdentification()).isEqualTo(0x718C);
    }

    @Test
    void isThatOfAPublishedUcSend() {
        ByteBuffer bth = ByteBuffer.wrap(HexFormat.of()
                .parseHex("2460ffff000000d300cf1710" + "4630818be28935d90e9a95505401be885e500000" + "78f353f3"));
        PacketAddresses addresses = new PacketAddresses()
                .source(0, MAPPED | 0xC0A80007L, 0xC000)
                .destination(0, MAPPED | 0xC0A80007L, UdpHeader.ROCE_PORT);

        assertThat(icrc.compute(addresses, 0x0478, bth, 0, 32)).isEqualTo(0xF353F378);
        assertThat(icrc.verify(addresses, 0x0478, bth, 0, 36)).isTrue();
    }

    @Test
    void startsFromTheRegisterAfterEightBytesOfOnes() {
        CRC32 crc = new CRC32();
        crc.update(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1});

        assertThat(~(int) crc.getValue()).isEqualTo(0xDEBB20E3);
    }

    @Test
    void ignoresCongestionMarksAndWhatIsReservedBesideThem() {
        ByteBuffer packet = packet(64, 1);
        int before = icrc.compute(ipv4, 7, packet, 0, 64);

        packet.put(4, (byte) ~packet.get(4));

        assertThat(icrc.compute(ipv4, 7, packet, 0, 64)).isEqualTo(before);
    }

    @Test
    void isTheSameWhereverTheBytesLieAndLeavesTheBufferAsItWas() {
        ByteBuffer heap = packet(100, 2);
        ByteBuffer direct = ByteBuffer.allocateDirect(200);
        direct.put(37, heap, 0, 100).position(150).limit(180);

        int expected = icrc.compute(ipv6, 0, heap, 0, 100);

        assertThat(icrc.compute(ipv6, 0, direct, 37, 100)).isEqualTo(expected);
        assertThat(icrc.compute(ipv6, 0, heap.asReadOnlyBuffer(), 0, 100)).isEqualTo(expected);
        assertThat(direct.position()).isEqualTo(150);
        assertThat(direct.limit()).isEqualTo(180);
    }

    @Test
    void ipv6TakesNoIdentification() {
        ByteBuffer packet = packet(48, 3);
        int computed = icrc.compute(ipv6, 0, packet, 0, 44);
        Icrc.write(packet, 44, computed);

        assertThat(icrc.compute(ipv6, 99, packet, 0, 44)).isEqualTo(computed);
        assertThat(icrc.verify(ipv6, 99, packet, 0, 48)).isTrue();
        assertThat(icrc.lastIdentification()).isZero();
        Icrc.write(packet, 44, icrc.reidentify(computed, 44, 0, 99));
        assertThat(icrc.verify(ipv6, 99, packet, 0, 48)).isFalse();
    }

    @Test
    void oneMappedAddressDoesNotMakeAPacketIpv4() {
        assertThat(ipv4.isIpv4()).isTrue();
        assertThat(ipv4.destination(0, 1, UdpHeader.ROCE_PORT).isIpv4()).isFalse();
        assertThat(PacketAddresses.isIpv4(1, MAPPED)).isFalse();
    }

    @Property(tries = 300)
    void reidentifyingIsComputingAnew(
            @ForAll @IntRange(min = Bth.LENGTH, max = MAX_LENGTH) int length,
            @ForAll @IntRange(max = 0xFFFF) int from,
            @ForAll @IntRange(max = 0xFFFF) int to) {
        ByteBuffer packet = packet(length, length);

        assertThat(icrc.reidentify(icrc.compute(ipv4, from, packet, 0, length), length, from, to))
                .isEqualTo(icrc.compute(ipv4, to, packet, 0, length));
    }

    @Property(tries = 300)
    void theIdentificationIsSolvedFor(
            @ForAll @IntRange(min = Bth.LENGTH, max = MAX_LENGTH) int length,
            @ForAll @IntRange(max = 0xFFFF) int identification) {
        ByteBuffer packet = packet(length, length);
        int wire = icrc.compute(ipv4, identification, packet, 0, length);

        assertThat(icrc.solveIdentification(wire, icrc.compute(ipv4, 0, packet, 0, length), length))
                .isEqualTo(identification);
    }

    @Property(tries = 300)
    void aWrongHintDoesNoHarm(
            @ForAll @IntRange(min = Bth.LENGTH, max = MAX_LENGTH) int length,
            @ForAll @IntRange(max = 0xFFFF) int identification,
            @ForAll @IntRange(max = 0xFFFF) int hint) {
        ByteBuffer packet = packet(length + RocePacket.ICRC_LENGTH, length);
        Icrc.write(packet, length, icrc.compute(ipv4, identification, packet, 0, length));

        assertThat(icrc.verify(ipv4, hint, packet, 0, length + RocePacket.ICRC_LENGTH))
                .isTrue();
        assertThat(icrc.lastIdentification()).isEqualTo(identification);
    }

    @Test
    void lengthsThatShareACacheSlotDoNotDisturbEachOther() {
        for (int round = 0; round < 2; round++) {
            for (int length = 16; length < MAX_LENGTH; length += 1024) {
                ByteBuffer packet = packet(length, length);
                int atZero = icrc.compute(ipv4, 0, packet, 0, length);
                int wire = icrc.compute(ipv4, 0xBEEF, packet, 0, length);
                assertThat(icrc.solveIdentification(wire, atZero, length)).isEqualTo(0xBEEF);
            }
        }
    }

    @Test
    void allIdentificationsOfOneLengthAreDistinct() {
        ByteBuffer packet = packet(28, 5);
        int atZero = icrc.compute(ipv4, 0, packet, 0, 28);
        for (int identification = 0; identification < 0x10000; identification++) {
            int wire = icrc.reidentify(atZero, 28, 0, identification);
            assertThat(icrc.solveIdentification(wire, atZero, 28)).isEqualTo(identification);
        }
    }

    @Test
    void aDamagedPacketPassesBlindAboutOnceIn65536() {
        Random random = new Random(4791);
        ByteBuffer packet = packet(64, 6);
        Icrc.write(packet, 60, icrc.compute(ipv4, 0x1234, packet, 0, 60));
        int passed = 0;
        for (int i = 0; i < 200_000; i++) {
            // byte 4 is not covered
            int at = 5 + random.nextInt(64 - 5);
            int flipped = 1 + random.nextInt(255);
            packet.put(at, (byte) (packet.get(at) ^ flipped));
            passed += icrc.verify(ipv4, 0x1234, packet, 0, 64) ? 1 : 0;
            // Damage adds up, so that far more than 64 places are tried.
        }
        // 3 expected
        assertThat(passed).isLessThan(12);
    }

    @Test
    void anyDamageToOneByteIsSeen() {
        ByteBuffer packet = packet(64, 7);
        Icrc.write(packet, 60, icrc.compute(ipv4, 0, packet, 0, 60));
        for (int bit = 0; bit < 64 * 8; bit++) {
            int at = bit / 8;
            byte good = packet.get(at);
            packet.put(at, (byte) (good ^ 1 << bit % 8));
            assertThat(icrc.verify(ipv4, 0, packet, 0, 64)).as("bit %d", bit).isEqualTo(at == 4);
            packet.put(at, good);
        }
        packet.put(59, (byte) (packet.get(59) ^ 1));
        assertThat(icrc.verify(ipv4, 0, packet, 0, 64)).isFalse();
        assertThat(icrc.lastIdentification()).isEqualTo(Icrc.NO_IDENTIFICATION);
    }

    private static ByteBuffer packet(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }
}
