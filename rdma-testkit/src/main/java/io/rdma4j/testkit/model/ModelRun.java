package io.rdma4j.testkit.model;

import io.rdma4j.testkit.check.WireChecker;
import io.rdma4j.testkit.check.WireEnd;
import io.rdma4j.testkit.fabric.Fabric;
import io.rdma4j.testkit.fabric.TraceEntry;
import io.rdma4j.testkit.verbs.ConnectionEnd;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A program under way: does each step on the devices and on the reference, and compares. */
final class ModelRun {
    /** How long a step may take: several of the longest retries there are. */
    private static final long STEP_NS = 5_000_000_000L;

    private static final int PSN_MASK = 0xFFFFFF;

    private final Fabric fabric;
    private final List<ModelNode> nodes;
    private final Shape shape;
    private final SplittableRandom random;
    private final ReferenceModel model;
    private final List<Connection> connections = new ArrayList<>();
    private final OutcomeTally tally;
    private final WireChecker wire = new WireChecker();
    private final StringBuilder log = new StringBuilder();
    private List<Prediction> predictions = List.of();
    private int serial;
    private int checked;

    /**
     * What holds for a whole program.
     *
     * @param queuePairs of each node
     * @param mtu of all connections
     * @param faults whether the network has any
     * @param tally counts what was foreseen and came
     */
    record Shape(int queuePairs, PathMtu mtu, boolean faults, OutcomeTally tally) {}

    ModelRun(Fabric fabric, ModelNode a, ModelNode b, Shape shape, SplittableRandom random) {
        this.fabric = fabric;
        this.nodes = List.of(a, b);
        this.shape = shape;
        this.random = random;
        this.tally = shape.tally();
        this.model = new ReferenceModel(List.of(a.reference(), b.reference()), shape.faults());
        for (int i = 0; i < shape.queuePairs(); i++) {
            connections.add(new Connection());
            connect(i);
        }
    }

    /** Does something with each queue pair, lets everything come to rest, and compares. */
    void step(int number) {
        log.setLength(0);
        predictions = List.of(new Prediction(), new Prediction());
        for (int i = random.nextInt(3); i > 0; i--) {
            int node = random.nextInt(2);
            note(name(node) + ": " + nodes.get(node).changeRegions(random));
        }
        for (int i = 0; i < shape.queuePairs(); i++) {
            act(i);
        }
        try {
            fabric.runUntilIdle(STEP_NS);
            checkWire();
            compare();
        } catch (RuntimeException | AssertionError e) {
            throw new ModelMismatch("step " + number + ": " + e.getMessage() + "\nThe step:\n" + log);
        }
    }

    private void checkWire() {
        List<TraceEntry> entries = fabric.trace().entries();
        wire.check(entries.subList(checked, entries.size()));
        checked = entries.size();
    }

    private void compare() {
        for (int node = 0; node < nodes.size(); node++) {
            StepCheck.completions(name(node), predictions.get(node), nodes.get(node), tally);
            for (int i = 0; i < shape.queuePairs(); i++) {
                StepCheck.state(name(node), i, connections.get(i).ends.get(node), nodes.get(node));
            }
        }
        for (int node = 0; node < nodes.size(); node++) {
            StepCheck.memory(name(node), nodes.get(node));
        }
    }

    /** What the reporting is tested with: the reference is told of a byte that no device has written. */
    void expectWrongByte() {
        byte[] last = nodes.get(1).bytes();
        ReferenceMemory reference = nodes.get(1).reference();
        reference.write(last.length - 1, new byte[] {(byte) ~last[last.length - 1]}, 0, 1);
        StepCheck.memory(name(1), nodes.get(1));
    }

    private void act(int queuePair) {
        Connection connection = connections.get(queuePair);
        int choice = random.nextInt(12);
        if (connection.isWhole()) {
            if (choice < 9) {
                traffic(queuePair);
            } else if (choice == 9) {
                breakOff(queuePair, random.nextInt(2));
            } else if (choice == 10) {
                connect(queuePair);
            }
        } else if (choice < 6) {
            connect(queuePair);
            traffic(queuePair);
        } else if (choice < 8) {
            int node = random.nextInt(2);
            if (!connection.ends.get(node).isInError()) {
                breakOff(queuePair, node);
            }
        } else if (choice < 11) {
            postInError(queuePair, connection.ends.get(0).isInError() ? 0 : 1);
        }
    }

    private void connect(int queuePair) {
        Connection connection = connections.get(queuePair);
        QueuePairAttributes reset =
                QueuePairAttributes.builder().state(QueuePairState.RESET).build();
        nodes.forEach(node -> node.queuePair(queuePair).modify(reset));
        connection.ends.forEach(ReferenceQueuePair::reset);
        connection.options = options();
        ConnectionEnd a = new ConnectionEnd(nodes.get(0).queuePair(queuePair), startPsn());
        ConnectionEnd b = new ConnectionEnd(nodes.get(1).queuePair(queuePair), startPsn());
        a.connect(b, connection.options);
        wire.connected(wireEnd("a", a), wireEnd("b", b), shape.mtu().bytes());
        note("connect queue pair " + queuePair + " " + connection.options);
    }

    private static WireEnd wireEnd(String device, ConnectionEnd end) {
        return new WireEnd(device, end.queuePair().number(), end.startPsn());
    }

    private ConnectOptions options() {
        return ConnectOptions.DEFAULT
                .pathMtu(shape.mtu())
                .timeout(random.nextInt(8, 11))
                .retryCount(7)
                .rnrRetry(random.nextInt(2) == 0 ? 7 : random.nextInt(3))
                .minRnrTimer(random.nextInt(1, 13))
                .maxReadAtomic(random.nextInt(1, 9))
                .access(Rights.ofQueuePair(random).toArray(AccessFlag[]::new));
    }

    private int startPsn() {
        return random.nextBoolean() ? random.nextInt(PSN_MASK + 1) : PSN_MASK - random.nextInt(30);
    }

    private void traffic(int queuePair) {
        Connection connection = connections.get(queuePair);
        int from = random.nextInt(2);
        ReferenceQueuePair requester = connection.ends.get(from);
        ReferenceQueuePair responder = connection.ends.get(1 - from);
        ModelLaneGenerator generator = generator(queuePair, from);
        Lane lane = generator.lane(from, responder.receives().size());
        serial = generator.serial();
        note("queue pair " + queuePair + " from " + name(from));
        lane.receives().forEach(receive -> {
            note("  " + receive);
            nodes.get(1 - from).postReceive(queuePair, receive);
        });
        lane.requests().forEach(request -> {
            note("  " + request);
            nodes.get(from).post(queuePair, request);
        });
        if (!lane.lateReceives().isEmpty()) {
            lane.lateReceives().forEach(receive -> note("  late " + receive));
            fabric.after(
                    random.nextLong(50_000, 3_000_000),
                    () -> lane.lateReceives()
                            .forEach(receive -> nodes.get(1 - from).postReceive(queuePair, receive)));
        }
        model.run(lane, requester, responder, predictions);
    }

    private ModelLaneGenerator generator(int queuePair, int from) {
        return new ModelLaneGenerator(
                random.split(),
                queuePair,
                nodes.get(from).reference(),
                nodes.get(1 - from).reference(),
                connections.get(queuePair).options,
                serial);
    }

    /** The user takes one end to ERR: its receives are flushed, and the other end learns nothing (§8.5(1)). */
    private void breakOff(int queuePair, int node) {
        note("queue pair " + queuePair + " of " + name(node) + " to ERR");
        nodes.get(node)
                .queuePair(queuePair)
                .modify(QueuePairAttributes.builder().state(QueuePairState.ERR).build());
        List<Expected> flushed = new ArrayList<>();
        ReferenceModel.flush(connections.get(queuePair).ends.get(node), flushed);
        predictions.get(node).exactly(new QueueKey(queuePair, true), flushed);
    }

    /** What is posted in ERR comes back flushed, whether signaled or not (§8.5(2)). */
    private void postInError(int queuePair, int node) {
        ModelLaneGenerator generator = generator(queuePair, node);
        for (int i = random.nextInt(1, 4); i > 0; i--) {
            Request request = generator.request(false);
            PostedReceive receive = generator.receive(random.nextInt(Layout.MAX_MESSAGE));
            note("in ERR, queue pair " + queuePair + " of " + name(node) + ": " + request + ", " + receive);
            nodes.get(node).post(queuePair, request);
            nodes.get(node).postReceive(queuePair, receive);
            predictions.get(node).exactly(new QueueKey(queuePair, false), List.of(Expected.flush(request.id())));
            predictions.get(node).exactly(new QueueKey(queuePair, true), List.of(Expected.flush(receive.id())));
        }
        serial = generator.serial();
    }

    private void note(String line) {
        log.append("  ").append(line).append('\n');
    }

    private static String name(int node) {
        return node == 0 ? "A" : "B";
    }

    /** The two ends of a queue pair in the reference, and what they were connected with. */
    private static final class Connection {
        private final List<ReferenceQueuePair> ends = List.of(new ReferenceQueuePair(), new ReferenceQueuePair());
        private ConnectOptions options = ConnectOptions.DEFAULT;

        private boolean isWhole() {
            return ends.stream().noneMatch(ReferenceQueuePair::isInError);
        }
    }
}
