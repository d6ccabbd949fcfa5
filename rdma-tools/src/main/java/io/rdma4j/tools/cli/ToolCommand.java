package io.rdma4j.tools.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A subcommand: understands {@code --help} and {@code --verbose}, and knows where to print. */
public abstract class ToolCommand implements Callable<Integer> {
    /** Read by logback.xml when the first logger is made, which is after the command line has been parsed. */
    private static final String LOG_LEVEL = "io.rdma4j.tools.loglevel";

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private boolean help;

    private boolean verbose;

    /** For subclasses. */
    protected ToolCommand() {}

    /** Turns the log up at once. */
    @Option(
            names = {"-v", "--verbose"},
            description = "Say more: log at INFO to standard error, and show stack traces of unexpected failures.")
    public final void setVerbose(boolean verbose) {
        this.verbose = verbose;
        if (verbose) {
            System.setProperty(LOG_LEVEL, "INFO");
        }
    }

    /** Whether the user asked for more. */
    protected final boolean verbose() {
        return verbose;
    }

    /** Where results go. */
    protected final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** Where remarks go, with the command's name in front. */
    protected final void remark(String text) {
        out().flush();
        spec.commandLine().getErr().println(spec.name() + ": " + text);
    }

    /** Refuses the command line unless the condition holds; the exit code is that of wrong usage. */
    protected final void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new ParameterException(spec.commandLine(), otherwise);
        }
    }
}
