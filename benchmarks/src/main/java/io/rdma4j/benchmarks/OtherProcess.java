package io.rdma4j.benchmarks;

import io.rdma4j.verbs.QueuePairAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The receiving side, in a JVM of its own, which is asked one thing. */
final class OtherProcess implements AutoCloseable {
    /** What answers begin with: a JVM prints to standard output as it likes. */
    private static final String ANSWER = "answer: ";

    private final Process process;
    private final BufferedReader in;
    private final PrintStream out;

    /** Starts a JVM like this one that serves. */
    OtherProcess() throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), RawVersusWrite.class.getName(), "serve"));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        in = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        out = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    /** Asks for receivers at an MTU; the answer is the raw one's port and what {@link Writer#connect} needs. */
    String[] receive(int mtu, QueuePairAddress writer) throws IOException {
        out.println(mtu + " " + writer);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.startsWith(ANSWER)) {
                return line.substring(ANSWER.length()).split(" ", 2);
            }
        }
        throw new IOException("the other process ended");
    }

    @Override
    public void close() {
        out.close(); // the end of its input ends it
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** What the other process does: answers one question and receives until its input ends. */
    static void serve() throws IOException {
        PrintStream answers = System.out;
        System.setOut(System.err);
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String[] question = questions.readLine().split(" ", 2);
        int mtu = Integer.parseInt(question[0]);
        ByteBuffer memory = ByteBuffer.allocateDirect(RawVersusWrite.MESSAGE);
        try (RawChannels raw = new RawChannels(RawVersusWrite.HOST, new RawReceiver(memory, mtu));
                WriteTarget target = new WriteTarget(RawVersusWrite.HOST, memory, mtu)) {
            String accepted = target.accept(QueuePairAddress.parse(question[1]));
            answers.println(ANSWER + raw.port() + " " + accepted);
            String end = questions.readLine();
            if (end != null) {
                throw new IOException("a second question: " + end);
            }
        }
    }
}
