package io.rdma4j.tools.demo;

import io.rdma4j.tools.cli.ToolCommand;
import io.rdma4j.verbs.DeviceConfig;
import io.rdma4j.verbs.QueuePairAddress;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.WorkCompletion;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The other process of the demo. It offers memory and answers questions about it that come on standard input; it takes
 * no part in RDMA WRITE, READ and atomics, which is the point of them.
 */
@Command(name = "demo-peer", hidden = true, description = "The second process of 'rdma4j demo', which starts it.")
public final class DemoPeerCommand extends ToolCommand {
    private static final long FAREWELL_MILLIS = 2_000;

    @Option(names = "--device", required = true)
    private String device = "";

    @Option(names = "--fallback", required = true)
    private String fallback = "";

    private final PrintStream toInitiator = System.out;

    @Override
    public Integer call() throws InterruptedException {
        BlockingQueue<PeerMessage> questions = readStandardInput();
        List<String> notes = new ArrayList<>();
        try (RdmaDevice opened =
                        DemoDevices.openPeer(DeviceConfig.parse(device), DeviceConfig.parse(fallback), notes::add);
                DemoNode node = new DemoNode(opened, DemoLayout.PEER_BYTES)) {
            say(introduction(node, String.join("; ", notes)));
            for (PeerMessage question = questions.take(); !question.verb().equals("bye"); question = questions.take()) {
                say(answer(node, question));
            }
        } catch (RuntimeException e) {
            say(PeerMessage.of("failed").withText("reason", String.valueOf(e.getMessage())));
            throw e;
        }
        return 0;
    }

    private static PeerMessage introduction(DemoNode node, String notes) {
        return PeerMessage.of("ready")
                .with("main", node.main().localAddress())
                .with("fault", node.fault().localAddress())
                .with("address", Long.toHexString(node.region().address()))
                .with("key", Integer.toHexString(node.region().remoteKey()))
                .withText("device", node.device().name())
                .withText("notes", notes);
    }

    private static PeerMessage answer(DemoNode node, PeerMessage question) {
        return switch (question.verb()) {
            case "connect" -> connect(node, question);
            case "greet" -> greet(node);
            case "checksum" ->
                PeerMessage.of("checksum")
                        .with("value", Long.toHexString(node.checksum((int) question.number("offset"), (int)
                                question.number("length"))));
            case "counter" ->
                PeerMessage.of("counter")
                        .with("value", Long.toHexString(node.region().longAcquire(DemoLayout.COUNTER_OFFSET)));
            default -> throw new IllegalArgumentException("unknown question " + question.verb());
        };
    }

    private static PeerMessage connect(DemoNode node, PeerMessage question) {
        node.main().connect(QueuePairAddress.parse(question.value("main")));
        node.fault().connect(QueuePairAddress.parse(question.value("fault")));
        node.postGreetingReceive();
        return PeerMessage.of("connected");
    }

    /** Takes the greeting, and sends back over RDMA what has come, with a word of its own. */
    private static PeerMessage greet(DemoNode node) {
        WorkCompletion received = node.awaitSuccess();
        String text = node.receivedGreeting(received.byteLength());
        node.sendGreeting(reply(text));
        node.awaitSuccess();
        return PeerMessage.of("greeted").withText("text", text);
    }

    /** What is sent back for a greeting. */
    static String reply(String greeting) {
        return "You said: " + greeting;
    }

    private void say(PeerMessage message) {
        toInitiator.println(message.encode());
        toInitiator.flush();
    }

    /** Reads on a thread of its own, so that the end of input ends this process whatever it is doing. */
    private static BlockingQueue<PeerMessage> readStandardInput() {
        BlockingQueue<PeerMessage> questions = new LinkedBlockingQueue<>();
        Thread worker = Thread.currentThread();
        Thread reader = new Thread(() -> readUntilEnd(questions, worker), "rdma4j-demo-initiator-reader");
        reader.setDaemon(true);
        reader.start();
        return questions;
    }

    private static void readUntilEnd(BlockingQueue<PeerMessage> questions, Thread worker) {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                PeerMessage message = PeerMessage.decode(line);
                if (message != null) {
                    questions.add(message);
                }
            }
        } catch (IOException e) {
            // As good as the end of input.
        }
        questions.add(PeerMessage.of("bye"));
        try {
            worker.join(FAREWELL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(1); // the initiator has gone, and nobody is left who could wait for more
    }
}
