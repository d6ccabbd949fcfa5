package io.rdma4j.core.pcap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The captures of Linux rdma_rxe in the test resources; INDEX.md beside them says how each was made. */
final class Golden {
    /** The one capture with ICRCs that are wrong on purpose. */
    static final String BAD_ICRC = "bad_icrc_host.pcap";

    private static final int CAPTURES = 70;

    private Golden() {}

    static Path directory() {
        try {
            return Path.of(Golden.class.getResource("/golden").toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The names of all captures. */
    static List<String> names() {
        List<String> names = files(".pcap");
        assertThat(names).hasSize(CAPTURES);
        return names;
    }

    /** The names of all captures whose ICRCs are right. */
    static List<String> goodNames() {
        return names().stream().filter(name -> !name.equals(BAD_ICRC)).toList();
    }

    static List<String> files(String ending) {
        try (Stream<Path> files = Files.list(directory())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(ending))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static List<PcapPacket> packets(String name) throws IOException {
        List<PcapPacket> packets = new ArrayList<>();
        try (PcapReader reader = PcapReader.open(directory().resolve(name))) {
            for (PcapPacket packet = reader.next(); packet != null; packet = reader.next()) {
                packets.add(packet);
            }
        }
        return packets;
    }

    /** All frames of a capture; every record must be one. */
    static List<RoceFrame> frames(String name) throws IOException {
        FrameDecoder decoder = new FrameDecoder();
        List<RoceFrame> frames = new ArrayList<>();
        for (PcapPacket packet : packets(name)) {
            CapturedFrame frame = decoder.decode(packet);
            assertThat(frame).as(frame.line()).isInstanceOf(RoceFrame.class);
            frames.add((RoceFrame) frame);
        }
        assertThat(frames).isNotEmpty();
        return frames;
    }
}
