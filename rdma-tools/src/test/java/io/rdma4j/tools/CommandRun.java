package io.rdma4j.tools;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.CountDownLatch;
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
        return watched(new CountDownLatch(0), "", arguments);
    }

    /** Runs {@code rdma4j} and opens a latch as soon as it has printed certain words. */
    public static CommandRun watched(CountDownLatch latch, String words, String... arguments) {
        StringWriter out = new StringWriter() {
            @Override
            public void flush() {
                if (toString().contains(words)) {
                    latch.countDown();
                }
            }
        };
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
