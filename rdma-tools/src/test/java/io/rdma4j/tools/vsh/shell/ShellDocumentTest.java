package io.rdma4j.tools.vsh.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.testkit.fabric.Fabric;
import io.rdma4j.verbs.Gid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** docs/tools.md against the shell: a command or a bound that it does not have, or has otherwise, fails. */
class ShellDocumentTest {
    private final String section;

    ShellDocumentTest() throws IOException {
        String text = Files.readString(Path.of("..", "docs", "tools.md"));
        section = text.substring(text.indexOf("\n## vsh\n"), text.indexOf("\n## pcap\n"));
    }

    @Test
    void namesEveryCommand() {
        try (Fabric fabric = new Fabric(1);
                Session session = new Session(
                        fabric.addDevice("a", Gid.parse("192.0.2.2")).rdma(), (condition, millis) -> {})) {
            String names = Objects.requireNonNull(session.run("help")).text();

            assertThat(names.split(" ")).allSatisfy(name -> assertThat(section).contains("`" + name + "`"));
        }
    }

    @Test
    void namesEveryBound() {
        assertThat(section.replace("\n", " "))
                .contains(
                        ShellLimits.MAX_OBJECTS + " objects of each kind",
                        (ShellLimits.MAX_REGION_BYTES >> 30) + " GiB a region",
                        "lines of " + grouped(ShellLimits.MAX_LINE) + " characters",
                        ShellLimits.MAX_SENDS + " requests a `send`",
                        grouped(ShellLimits.MAX_RECEIVES) + " receives a `recv`",
                        grouped(ShellLimits.MAX_COMPLETIONS) + " completions a `poll`",
                        grouped(ShellLimits.MAX_HEX_BYTES) + " bytes a `hex`",
                        ShellLimits.MAX_WAIT_MILLIS == 3_600_000 ? "an hour a wait" : "another wait");
    }

    @Test
    void namesEveryOperationOfSend() {
        assertThat(section).contains("`op=" + String.join(" ", SendOperation.WORDS) + "`");
    }

    private static String grouped(int number) {
        return String.format("%,d", number);
    }
}
