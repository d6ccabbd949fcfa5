package io.rdma4j.core.pcap;

import static io.rdma4j.core.pcap.Captures.MICROS;
import static io.rdma4j.core.pcap.Captures.NANOS;
import static io.rdma4j.core.pcap.Captures.fileHeader;
import static io.rdma4j.core.pcap.Captures.join;
import static io.rdma4j.core.pcap.Captures.record;
import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class PcapReaderTest {
    private static final byte[] DATA = {0x45, 1, 2, 3};

    static Stream<ByteOrder> orders() {
        return Stream.of(BIG_ENDIAN, LITTLE_ENDIAN);
    }

    @ParameterizedTest
    @MethodSource("orders")
    void readsEitherByteOrderAndEitherPrecision(ByteOrder order) throws IOException {
        byte[] records = join(record(order, 7, 999_999, 4, DATA), record(order, -1, 5, 1500, DATA));

        List<PcapPacket> micros = Captures.read(join(fileHeader(order, MICROS, 101), records));
        List<PcapPacket> nanos = Captures.read(join(fileHeader(order, NANOS, 101), records));

        assertThat(micros)
                .containsExactly(
                        new PcapPacket(7_999_999_000L, 4, LinkType.RAW_IP, ByteBuffer.wrap(DATA)),
                        new PcapPacket(4_294_967_295_000_005_000L, 1500, LinkType.RAW_IP, ByteBuffer.wrap(DATA)));
        assertThat(nanos.get(0).timestampNanos()).isEqualTo(7_000_999_999L);
        assertThat(micros.get(0).isCut()).isFalse();
        assertThat(micros.get(1).isCut()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void readsEverySupportedLinkType(LinkType type) throws IOException {
        // the upper half of the field says that frames end in four bytes of checksum
        byte[] header = fileHeader(LITTLE_ENDIAN, MICROS, type.code() | 0x24000000);

        assertThat(Captures.reader(header).linkType()).isEqualTo(type);
        assertThat(Captures.read(header)).isEmpty();
    }

    @Test
    void refusesWhatIsNoCapture() {
        assertThatThrownBy(() -> Captures.reader(new byte[0]))
                .isInstanceOf(IOException.class)
                .hasMessage("test.pcap: not a pcap file");
        assertThatThrownBy(() -> Captures.reader(new byte[24])).hasMessage("test.pcap: not a pcap file");
        assertThatThrownBy(() -> Captures.reader(new byte[] {(byte) 0xA1, (byte) 0xB2, (byte) 0xC3, (byte) 0xD4, 0}))
                .hasMessage("test.pcap: not a pcap file");
        assertThatThrownBy(() -> Captures.reader(Captures.hex("0a0d0d0a 1c000000 4d3c2b1a")))
                .hasMessageContaining("pcapng");
    }

    @Test
    void refusesAnUnknownVersionOrLinkType() {
        byte[] version3 = fileHeader(BIG_ENDIAN, MICROS, 1);
        version3[5] = 3;

        assertThatThrownBy(() -> Captures.reader(version3)).hasMessage("test.pcap: pcap version 3 is not known");
        assertThatThrownBy(() -> Captures.reader(fileHeader(BIG_ENDIAN, MICROS, 147)))
                .hasMessage("test.pcap: link type 147 is not supported");
    }

    @Test
    void saysWhereAFileBreaksOffAfterGivingWhatIsWhole() throws IOException {
        byte[] whole = join(
                fileHeader(LITTLE_ENDIAN, MICROS, 1),
                record(LITTLE_ENDIAN, 1, 2, 4, DATA),
                record(LITTLE_ENDIAN, 1, 2, 4, DATA));
        PcapReader insideData = Captures.reader(Arrays.copyOf(whole, whole.length - 1));
        PcapReader insideHeader = Captures.reader(Arrays.copyOf(whole, whole.length - 4 - 9));

        assertThat(insideData.next()).isNotNull();
        assertThatThrownBy(insideData::next)
                .isInstanceOf(IOException.class)
                .hasMessage("test.pcap: the file ends inside record 2, after 3 of 4 bytes");
        assertThat(insideHeader.next()).isNotNull();
        assertThatThrownBy(insideHeader::next).hasMessage("test.pcap: the file ends inside the header of record 2");
    }

    @Test
    void refusesARecordOfAbsurdLengthInsteadOfReservingMemory() throws IOException {
        ByteBuffer record = ByteBuffer.wrap(record(BIG_ENDIAN, 1, 2, 4, DATA));
        PcapReader huge = Captures.reader(join(
                fileHeader(BIG_ENDIAN, MICROS, 1),
                record.putInt(8, PcapReader.MAX_RECORD_LENGTH + 1).array()));
        PcapReader negative = Captures.reader(
                join(fileHeader(BIG_ENDIAN, MICROS, 1), record.putInt(8, -1).array()));

        assertThatThrownBy(huge::next).hasMessage("test.pcap: record 1 claims to hold 1048577 bytes");
        assertThatThrownBy(negative::next).hasMessage("test.pcap: record 1 claims to hold 4294967295 bytes");
    }

    @Test
    void closesTheStreamItWasGiven() throws IOException {
        boolean[] closed = new boolean[1];
        ByteArrayInputStream in = new ByteArrayInputStream(fileHeader(BIG_ENDIAN, MICROS, 1)) {
            @Override
            public void close() {
                closed[0] = true;
            }
        };

        new PcapReader(in, "test.pcap").close();

        assertThat(closed[0]).isTrue();
    }

    @Test
    void opensFilesAndNamesThemInErrors(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("some.pcap");
        Files.write(file, new byte[30]);

        assertThatThrownBy(() -> PcapReader.open(file)).hasMessage(file + ": not a pcap file");
        assertThatThrownBy(() -> PcapReader.open(directory.resolve("none.pcap")))
                .isInstanceOf(NoSuchFileException.class);
    }
}
