package io.rdma4j.tools;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;

/**
 * A command line that was run in this JVM, with what it printed.
 *
 * @param exitCode 0 done, 1 failed, 2 not understood
 * @param out standard output
 * @param err standard error
 */
public record CommandRun(int exitCode, String out, String err) {
    /** Runs {@code rdma4j} with these arguments. */
    public static CommandRun of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command =
                Rdma4j.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        int exitCode = command.execute(arguments);
        return new CommandRun(exitCode, out.toString(), err.toString());
    }

    /** The lines of standard output. */
    public List<String> lines() {
        return out.lines().toList();
    }
}
