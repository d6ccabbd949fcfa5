package io.rdma4j.tools.vsh;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.tools.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VshCommandTest {
    private static final String DEVICE = "udp://127.0.0.1?port=0";

    @TempDir
    private Path directory;

    @Test
    void runsCommandsOfItsCommandLine() {
        CommandRun run =
                CommandRun.of("vsh", "-d", DEVICE, "-c", "mr m size=8", "-c", "fill m seed=1", "-c", "hex m len=8");

        assertThat(run.exitCode()).isZero();
        assertThat(run.lines()).hasSize(3).last().isEqualTo("OK 0102030405060708");
    }

    @Test
    void runsAScriptUpToQuitAndTellsByItsExitCodeThatSomethingWasRefused() throws IOException {
        Path script = Files.writeString(directory.resolve("script"), "# comment\nlist\n\nbogus\nquit\nlist\n");

        CommandRun run = CommandRun.of("vsh", "-d", DEVICE, script.toString());

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.lines()).containsExactly("OK none", "ERR unknown command bogus", "OK bye");
    }

    @Test
    void echoesCommandsAndExplainsAnswersWhenAsked() {
        CommandRun run = CommandRun.of("vsh", "-d", DEVICE, "-x", "-e", "-c", "qp q", "-c", "rts q");

        assertThat(run.lines()).hasSize(5);
        assertThat(run.lines().get(0)).isEqualTo("> qp q");
        assertThat(run.lines().get(1)).startsWith("OK qpn=");
        assertThat(run.lines().get(2)).isEqualTo("> rts q");
        assertThat(run.lines().get(3)).isEqualTo("ERR modify_qp: Invalid argument");
        assertThat(run.lines().get(4)).startsWith("# EINVAL: ").contains("IBV_QPS_RESET to IBV_QPS_RTS");
    }

    @Test
    void tellsOfAScriptThatIsNotThere() {
        CommandRun run =
                CommandRun.of("vsh", "-d", DEVICE, directory.resolve("nothing").toString());

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).startsWith("vsh: there is no file ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--listen=2222", "--listen=:2222", "--listen=host:", "--listen=h:70000", "--sessions=0"})
    void refusesAnAddressThatIsNone(String option) {
        CommandRun run = CommandRun.of("vsh", "-d", DEVICE, option);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).startsWith("vsh: --").contains("Usage: rdma4j vsh");
    }

    @Test
    void takesItsCommandsFromOnePlace() {
        CommandRun run = CommandRun.of("vsh", "-c", "list", "script");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).startsWith("vsh: give one of FILE, --command and --listen");
    }
}
