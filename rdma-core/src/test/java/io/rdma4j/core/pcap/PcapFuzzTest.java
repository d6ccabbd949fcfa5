package io.rdma4j.core.pcap;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.util.Set;

/** A broken capture ends in an IOException with words, and nothing else; what can be read can be shown. */
class PcapFuzzTest {
    private final FrameDecoder decoder = new FrameDecoder(Set.of(0));

    @FuzzTest(maxDuration = "60s")
    void read(byte[] file) {
        try (PcapReader reader = Captures.reader(file)) {
            for (PcapPacket packet = reader.next(); packet != null; packet = reader.next()) {
                show(decoder.decode(packet));
            }
        } catch (IOException e) {
            assertThat(e).hasMessageStartingWith("test.pcap: ");
        }
    }

    private static void show(CapturedFrame frame) {
        assertThat(frame.line()).isNotEmpty();
        if (frame instanceof RoceFrame roce) {
            assertThat(roce.encode()).isEqualTo(copy(roce));
            assertThat(roce.fields()).isNotEmpty();
        }
    }

    private static byte[] copy(RoceFrame frame) {
        byte[] bytes = new byte[frame.bytes().limit()];
        frame.bytes().get(0, bytes);
        return bytes;
    }
}
