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

/** The receiving side, in a JVM of its own, which answers a line with a line. */
final class OtherProcess implements AutoCloseable {
    private static final String HOST = "127.0.0.1";

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

    String ask(String line) throws IOException {
        out.println(line);
        for (String answer = in.readLine(); answer != null; answer = in.readLine()) {
            if (answer.startsWith(ANSWER)) {
                return answer.substring(ANSWER.length());
            }
        }
        throw new IOException("the other process ended");
    }

    @Override
    public void close() throws InterruptedException {
        out.close();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }

    /** What the other process does: one raw receiver and one target of writes at a time. */
    static void serve() throws IOException {
        PrintStream answers =
                new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err); // logs must not mix with answers
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        ByteBuffer memory = ByteBuffer.allocateDirect(RawVersusWrite.MESSAGE);
        RawChannels raw = null;
        WriteTarget target = null;
        for (String line = questions.readLine(); line != null; line = questions.readLine()) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "raw" -> {
                    raw = new RawChannels(HOST, new RawReceiver(memory, Integer.parseInt(words[1])));
                    answers.println(ANSWER + raw.port());
                }
                case "write" -> {
                    target = new WriteTarget(HOST, memory, Integer.parseInt(words[1]));
                    answers.println(ANSWER + target.accept(QueuePairAddress.parse(words[2])));
                }
                default -> throw new IOException("unknown question: " + line);
            }
        }
        System.exit(0);
    }
}
