package io.rdma4j.core.pcap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The text beside each capture was written by another decoder, in another language: both must read the same. */
class GoldenDecodeTest {
    private static final Pattern MAD = Pattern.compile(" MAD\\([^)]*\\)");
    private static final Pattern IPV6 = Pattern.compile("([0-9a-f:]*::[0-9a-f:]*):(\\d+)>([0-9a-f:]*::[0-9a-f:]*) ");
    private static final int TIME_COLUMNS = 10;

    static List<String> texts() {
        return Golden.files(".txt");
    }

    @ParameterizedTest
    @MethodSource("texts")
    void linesAreThoseOfTheOtherDecoder(String text) throws IOException {
        Map<String, List<String>> sections = sections(text);
        assertThat(sections).isNotEmpty();
        for (Map.Entry<String, List<String>> section : sections.entrySet()) {
            List<String> lines = Golden.frames(section.getKey()).stream()
                    .map(RoceFrame::line)
                    .toList();
            assertThat(lines).as(section.getKey()).isEqualTo(section.getValue());
        }
    }

    /** The decoded frames of a text by capture: what follows {@code == NAME.pcap}. */
    private static Map<String, List<String>> sections(String text) throws IOException {
        Map<String, List<String>> sections = new LinkedHashMap<>();
        List<String> current = new ArrayList<>();
        for (String line : Files.readAllLines(Golden.directory().resolve(text))) {
            if (line.startsWith("== ")) {
                current = new ArrayList<>();
                sections.put(line.substring(3), current);
            } else if (!sections.isEmpty() && !line.isBlank()) {
                current.add(inOurWords(line.substring(TIME_COLUMNS)));
            }
        }
        return sections;
    }

    /** Management datagrams are payload here, and IPv6 addresses stand in brackets. */
    private static String inOurWords(String line) {
        String withoutMad = MAD.matcher(line).replaceFirst("");
        return IPV6.matcher(withoutMad).replaceFirst("[$1]:$2>[$3] ");
    }
}
