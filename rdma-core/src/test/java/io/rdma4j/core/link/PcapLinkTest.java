package io.rdma4j.core.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.pcap.FrameDecoder;
import io.rdma4j.core.pcap.PcapPacket;
import io.rdma4j.core.pcap.PcapReader;
import io.rdma4j.core.pcap.PcapWriter;
import io.rdma4j.core.pcap.RoceFrame;
import io.rdma4j.core.wire.Bth;
import io.rdma4j.core.wire.Icrc;
import io.rdma4j.core.wire.Opcode;
import io.rdma4j.verbs.Gid;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PcapLinkTest {
    private static final int LENGTH = Bth.LENGTH + 8;
    private static final long TIME = 1_700_000_000_123_456_000L;

    private final Gid here = Gid.parse("::ffff:192.0.2.1");
    private final Gid there = Gid.parse("::ffff:192.0.2.2");
    private final Path path = new Path(here, there, 0x20, 17, 0);
    private final SealingLink bottom = new SealingLink();
    private final List<Integer> passedOn = new ArrayList<>();
    private final DatagramHandler engine = (buffer, offset, length, arrival, nowNs) -> passedOn.add(length);

    @TempDir
    java.nio.file.Path directory;

    private java.nio.file.Path file;

    @BeforeEach
    void nameFile() {
        file = directory.resolve("frames.pcap");
    }

    private PcapLink recorder(long frames) throws IOException {
        return new PcapLink(bottom, engine, PcapWriter.create(file), frames, () -> TIME);
    }

    private void send(Link link, int psn) {
        assertThat(link.claim(path, LENGTH)).isTrue();
        fill(link.buffer(), link.offset(), psn);
        link.commit();
    }

    private static void fill(ByteBuffer buffer, int offset, int psn) {
        buffer.put(offset, new byte[LENGTH]);
        new Bth()
                .wrap(buffer, offset)
                .opcode(Opcode.RC_SEND_ONLY.code())
                .psn(psn)
                .pkey(0xFFFF);
    }

    private void receive(PcapLink recorder, int psn, int identification, boolean damaged) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(128);
        fill(buffer, 8, psn);
        int value = new Icrc().compute(SealingLink.addresses(there, here), identification, buffer, 8, LENGTH);
        Icrc.write(buffer, 8 + LENGTH, damaged ? ~value : value);
        Arrival arrival = new Arrival();
        arrival.local(here.high(), here.low(), 4791);
        arrival.sender(there.high(), there.low(), 4791);
        recorder.onDatagram(buffer, 8, LENGTH + 4, arrival, 0);
    }

    private List<RoceFrame> recorded() throws IOException {
        List<RoceFrame> frames = new ArrayList<>();
        FrameDecoder decoder = new FrameDecoder();
        try (PcapReader reader = PcapReader.open(file)) {
            for (PcapPacket packet = reader.next(); packet != null; packet = reader.next()) {
                frames.add((RoceFrame) decoder.decode(packet));
            }
        }
        return frames;
    }

    @Test
    void sentFramesStandThereWithTheirTrueHeaders() throws IOException {
        PcapLink recorder = recorder(10);
        send(recorder, 100);
        send(recorder, 101);
        recorder.flush();

        List<RoceFrame> frames = recorded();
        assertThat(frames).hasSize(2);
        RoceFrame second = frames.get(1);
        assertThat(second.isIcrcValid()).isTrue();
        assertThat(second.packet().psn()).isEqualTo(101);
        assertThat(second.ipv4().identification()).isEqualTo(1);
        assertThat(second.trafficClass()).isEqualTo(0x20);
        assertThat(second.hopLimit()).isEqualTo(17);
        assertThat(second.udp().destinationPort()).isEqualTo(4791);
        assertThat(second.timestampNanos()).isEqualTo(TIME);
        assertThat(bottom.flushes).isEqualTo(1);
    }

    @Test
    void receivedFramesGetTheIdentificationThatExplainsThem() throws IOException {
        PcapLink recorder = recorder(10);
        receive(recorder, 7, 0, false);
        receive(recorder, 8, 0xBEEF, false);
        receive(recorder, 9, 0, true);
        recorder.close();

        List<RoceFrame> frames = recorded();
        assertThat(frames).extracting(RoceFrame::isIcrcValid).containsExactly(true, true, false);
        assertThat(frames.get(1).ipv4().identification()).isEqualTo(0xBEEF);
        assertThat(frames.get(1).addresses().sourceLow).isEqualTo(there.low());
        assertThat(passedOn).as("damaged ones too: the engine counts them").hasSize(3);
    }

    @Test
    void onlyTheFirstFramesAreRecordedAndTrafficGoesOn() throws IOException {
        PcapLink recorder = recorder(3);
        send(recorder, 1);
        receive(recorder, 2, 0, false);
        send(recorder, 3);
        send(recorder, 4);
        receive(recorder, 5, 0, false);

        assertThat(recorded()).extracting(frame -> frame.packet().psn()).containsExactly(1, 2, 3);
        assertThat(bottom.identification).as("three were sent").isEqualTo(2);
        assertThat(passedOn).hasSize(2);
    }

    @Test
    void fileThatCannotBeWrittenEndsTheRecordingNotTheTraffic() throws IOException {
        FullDisk disk = new FullDisk();
        PcapLink recorder = new PcapLink(bottom, engine, new PcapWriter(disk), 10, () -> TIME);
        disk.full = true;

        send(recorder, 1);
        send(recorder, 2);
        receive(recorder, 3, 0, false);

        assertThat(disk.refusals).as("tried once").isEqualTo(1);
        assertThat(bottom.identification).isEqualTo(1);
        assertThat(passedOn).hasSize(1);
    }

    private static final class FullDisk extends OutputStream {
        private boolean full;
        private int refusals;

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (full) {
                refusals++;
                throw new IOException("No space left on device");
            }
        }
    }
}
