package io.rdma4j.tools.demo;

import io.rdma4j.tools.cli.ToolException;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The second JVM of the demo, seen from the first. It ends when its standard input does, so it cannot outlive this
 * process, however this one ends; {@link #close} sees to it sooner.
 */
final class PeerProcess implements AutoCloseable {
    private static final long ANSWER_SECONDS = 60;
    private static final long FAREWELL_SECONDS = 5;
    private static final int NATIVE_ACCESS_SINCE = 24;
    private static final PeerMessage ENDED = PeerMessage.of("ended");

    private final Process process;
    private final Writer toPeer;
    private final BlockingQueue<PeerMessage> fromPeer = new LinkedBlockingQueue<>();

    private PeerProcess(Process process) {
        this.process = process;
        this.toPeer = process.outputWriter(StandardCharsets.UTF_8);
    }

    /** Starts this program again with other arguments. */
    static PeerProcess start(List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(javaProgram());
        if (Runtime.version().feature() >= NATIVE_ACCESS_SINCE) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.add("-XX:+UseSerialGC");
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith("rdma4j."))
                .forEach(name -> command.add("-D" + name + "=" + System.getProperty(name)));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.rdma4j.tools.Rdma4j"));
        command.addAll(arguments);
        try {
            PeerProcess peer = new PeerProcess(new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
            Thread reader = new Thread(peer::readAll, "rdma4j-demo-peer-reader");
            reader.setDaemon(true);
            reader.start();
            return peer;
        } catch (IOException e) {
            throw new ToolException("cannot start the second JVM: " + e.getMessage(), e);
        }
    }

    long pid() {
        return process.pid();
    }

    /** Sends a message. */
    void tell(PeerMessage message) {
        try {
            toPeer.write(message.encode() + "\n");
            toPeer.flush();
        } catch (IOException e) {
            throw new ToolException("the peer process has gone: " + e.getMessage(), e);
        }
    }

    /** Waits for the next message, which has to be of that verb. */
    PeerMessage expect(String verb) {
        PeerMessage message;
        try {
            message = fromPeer.poll(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ToolException("interrupted while waiting for the peer process", e);
        }
        if (message == null) {
            throw new ToolException("the peer process did not answer within " + ANSWER_SECONDS + " s");
        }
        if (message.equals(ENDED)) {
            throw new ToolException("the peer process ended unexpectedly" + exitCode());
        }
        if (!message.verb().equals(verb)) {
            throw new ToolException(
                    "failed".equals(message.verb())
                            ? "the peer process failed: " + message.text("reason")
                            : "the peer process said '" + message.verb() + "' where '" + verb + "' was expected");
        }
        return message;
    }

    /** Asks and waits for the answer. */
    PeerMessage ask(PeerMessage question, String answerVerb) {
        tell(question);
        return expect(answerVerb);
    }

    /** Says that nothing more will come, upon which the process ends by itself. */
    void endInput() {
        try {
            toPeer.close();
        } catch (IOException e) {
            // The pipe is broken: the process sees its end as well.
        }
    }

    /** Ends the process: by its end of input, by force when that is not enough. */
    @Override
    public void close() {
        try {
            endInput();
            if (!process.waitFor(FAREWELL_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Its output has ended, so the process is about to; a code that does not come soon is not worth waiting for. */
    private String exitCode() {
        try {
            return process.waitFor(FAREWELL_SECONDS, TimeUnit.SECONDS) ? ", exit code " + process.exitValue() : "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    private void readAll() {
        try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                PeerMessage message = PeerMessage.decode(line);
                if (message != null) {
                    fromPeer.add(message);
                }
            }
        } catch (IOException | UncheckedIOException e) {
            // The pipe broke, which says the same as its end.
        }
        fromPeer.add(ENDED);
    }

    private static String javaProgram() {
        Optional<String> running = ProcessHandle.current().info().command();
        return running.orElseGet(
                () -> System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
    }
}
