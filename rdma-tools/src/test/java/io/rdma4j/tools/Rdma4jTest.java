package io.rdma4j.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.tools.cli.ErrorReport;
import io.rdma4j.tools.cli.ToolCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class Rdma4jTest {
    @Test
    void namesTheCommandsInItsHelpButNotTheInternalOne() {
        CommandRun run = CommandRun.of("--help");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .contains("demo ", "devinfo ", "rc-pingpong ", "vsh ", "pcap ")
                .doesNotContain("demo-peer");
    }

    @Test
    void isNotUnderstoodWithoutACommand() {
        CommandRun run = CommandRun.of();

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).startsWith("rdma4j: say what to do").contains("Usage: rdma4j", "demo ");
    }

    @Test
    void namesTheCommandsThereAreWhenAskedForAnother() {
        CommandRun run = CommandRun.of("pingpong");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("rdma4j: there is no command 'pingpong'")
                .contains("rc-pingpong ");
    }

    @Test
    void aRefusedCommandLineIsToldWithoutTheWholeHelp() {
        CommandRun run = CommandRun.of("rc-pingpong", "host", "other");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("rc-pingpong: 'other' is one argument too many")
                .contains("Usage: rdma4j rc-pingpong [-cehv]", "Try 'rdma4j rc-pingpong --help'");
        assertThat(run.err().lines()).hasSizeLessThan(10);
    }

    @Test
    void tellsItsVersionAsTheBuildWroteIt() {
        CommandRun run = CommandRun.of("--version");

        assertThat(run.exitCode()).isZero();
        assertThat(run.lines().get(0)).matches("rdma4j \\d+\\.\\d+\\.\\d+.*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo", "devinfo", "rc-pingpong", "vsh", "pcap", "sweep"})
    void helpOfACommandFitsATerminalAndIsTheSameBothWays(String command) {
        CommandRun byOption = CommandRun.of(command, "--help");
        CommandRun byCommand = CommandRun.of("help", command);

        assertThat(byOption.exitCode()).isZero();
        assertThat(byOption.out()).startsWith("Usage: rdma4j " + command).isEqualTo(byCommand.out());
        assertThat(byOption.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(byOption.out()).contains("-v, --verbose", "-h, --help");
    }

    @ParameterizedTest
    @CsvSource({
        "demo, '--device'",
        "devinfo, '--nothing'",
        "rc-pingpong, '--size=many'",
        "rc-pingpong, '--size=0'",
        "rc-pingpong, '--mtu=1000'",
        "rc-pingpong, '--port=70000'",
        "rc-pingpong, '--sl=16'",
        "rc-pingpong, '--iters=0'",
        "rc-pingpong, '--rx-depth=0'",
        "pcap, '--check'",
        "sweep, '--count=0'",
        "sweep, '--threads=0'",
        "sweep, '--kind=nothing'"
    })
    void refusesWhatItDoesNotUnderstand(String command, String argument) {
        CommandRun run = CommandRun.of(command, argument);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("Usage: rdma4j " + command);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void wrongValuesAreRefusedInTheWordsOfTheHelp() {
        assertThat(CommandRun.of("sweep", "--count=many").err()).contains("--count': 'many' is not a whole number");
        assertThat(CommandRun.of("rc-pingpong", "--size=big").err()).contains("--size': 'big' is not a whole number");
        assertThat(CommandRun.of("sweep", "--kind=all-of-it").err())
                .contains("--kind': it has to be traffic, model or all, not 'all-of-it'");
    }

    @ParameterizedTest
    @CsvSource({
        "-o, on-demand paging",
        "--iodp, on-demand paging",
        "-P, on-demand paging",
        "--ts, timestamps",
        "-j, no memory of its own",
        "-N, one way only"
    })
    void refusesInWordsWhatTheDeviceCannotDo(String option, String words) {
        CommandRun run = CommandRun.of("rc-pingpong", option);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).startsWith("rc-pingpong: ").contains(words);
        assertThat(run.err().lines()).hasSize(1);
    }

    @Test
    void reportsARefusalInOneLine() {
        CommandRun brief = CommandRun.of("devinfo", "-d", "nothing://here");
        CommandRun verbose = CommandRun.of("devinfo", "-v", "-d", "nothing://here");

        assertThat(brief.exitCode()).isEqualTo(1);
        assertThat(brief.err()).startsWith("devinfo: ").contains("nothing");
        assertThat(brief.err().lines()).hasSize(1);
        assertThat(verbose.err()).isEqualTo(brief.err());
    }

    @Test
    void showsTheTraceOfAnUnexpectedFailureWhenAskedForMore() {
        assertThat(failing("-v").err()).startsWith("fails: boom").contains("\tat io.rdma4j.");
        assertThat(failing().err().lines()).containsExactly("fails: boom");
    }

    private static CommandRun failing(String... arguments) {
        StringWriter err = new StringWriter();
        int exitCode = new CommandLine(new Failing())
                .setExecutionExceptionHandler(new ErrorReport())
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        return new CommandRun(exitCode, "", err.toString());
    }

    /** A command with a bug. */
    @Command(name = "fails")
    private static final class Failing extends ToolCommand {
        @Override
        public Integer call() {
            throw new IllegalStateException("boom");
        }
    }
}
