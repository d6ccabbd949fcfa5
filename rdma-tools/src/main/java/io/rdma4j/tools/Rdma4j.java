package io.rdma4j.tools;

import io.rdma4j.tools.cli.ErrorReport;
import io.rdma4j.tools.cli.UsageErrorReport;
import io.rdma4j.tools.cli.Version;
import io.rdma4j.tools.demo.DemoCommand;
import io.rdma4j.tools.demo.DemoPeerCommand;
import io.rdma4j.tools.devinfo.DevinfoCommand;
import io.rdma4j.tools.pcap.PcapCommand;
import io.rdma4j.tools.pingpong.RcPingpongCommand;
import io.rdma4j.tools.sweep.SweepCommand;
import io.rdma4j.tools.vsh.VshCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The entry point of the {@code rdma4j} command; each subcommand is a class of its own. */
@Command(
        name = "rdma4j",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "A software RDMA device (RoCEv2) in Java: try it, look at it, talk to other RDMA devices.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DemoCommand.class,
            DemoPeerCommand.class,
            DevinfoCommand.class,
            RcPingpongCommand.class,
            VshCommand.class,
            PcapCommand.class,
            SweepCommand.class,
            HelpCommand.class
        },
        footer = {"", "Start with 'rdma4j demo'; 'rdma4j help COMMAND' explains a command."})
public final class Rdma4j implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before run
    private CommandSpec spec;

    /** Runs the command line and exits with its code: 0 done, 1 failed, 2 not understood. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** The whole command tree, ready to parse. */
    public static CommandLine commandLine() {
        return new CommandLine(new Rdma4j())
                .setExecutionExceptionHandler(new ErrorReport())
                .setParameterExceptionHandler(new UsageErrorReport())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(false);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say what to do");
    }
}
