package io.rdma4j.testkit.sweep;

import io.rdma4j.testkit.fabric.FabricOptions;
import io.rdma4j.testkit.sweep.ConnectionPlan.CompletionQueues;
import io.rdma4j.testkit.sweep.ConnectionPlan.MemoryLayout;
import io.rdma4j.testkit.sweep.LaneGenerator.SharedState;
import io.rdma4j.testkit.sweep.LanePlan.ReceivePolicy;
import io.rdma4j.testkit.sweep.Operation.Word;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.PathMtu;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Makes the plan of a sweep from its seed. */
final class SweepGenerator {
    private static final int PSN_MASK = 0xFFFFFF;
    private static final int MAX_QUEUE_PAIRS = 3;
    private static final int MAX_SHARED_WORDS = 3;
    private static final int MIN_PACKETS = 500;
    private static final int MAX_PACKETS = 3000;
    private static final double MIN_FAULT = 0.001;
    private static final double MAX_FAULT = 0.05;

    private final long seed;
    private final SplittableRandom random;
    private final Map<Side, AreaAllocator> memory = new EnumMap<>(Side.class);

    private SweepGenerator(long seed) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        for (Side side : Side.values()) {
            memory.put(side, new AreaAllocator(random.split()));
        }
    }

    static SweepPlan generate(long seed) {
        return new SweepGenerator(seed).plan();
    }

    private SweepPlan plan() {
        ConnectionPlan connection = connection();
        NetworkPlan network = network(connection.options());
        int sharedWords = random.nextInt(MAX_SHARED_WORDS + 1);
        List<Word> words = new ArrayList<>();
        for (int i = 0; i < sharedWords; i++) {
            memory.values().forEach(AreaAllocator::takeWord);
            words.add(new Word(i * Long.BYTES, true));
        }
        List<LanePlan> lanes = new Variations(seed).of(lanes(connection, words));
        List<Integer> sizes =
                List.of(allocator(Side.A).size(), allocator(Side.B).size());
        return new SweepPlan(seed, network, connection, lanes, sizes, sharedWords);
    }

    private ConnectionPlan connection() {
        ConnectOptions options = ConnectOptions.DEFAULT
                .pathMtu(any(PathMtu.values()))
                .timeout(random.nextInt(8, 12))
                .retryCount(7)
                .rnrRetry(7)
                .minRnrTimer(random.nextInt(1, 13))
                .maxReadAtomic(random.nextInt(1, 17));
        int queuePairs = random.nextInt(1, MAX_QUEUE_PAIRS + 1);
        List<Integer> psns = new ArrayList<>();
        for (int i = 0; i < 2 * queuePairs; i++) {
            psns.add(startPsn());
        }
        int depth = random.nextInt(1, 33);
        CompletionQueues completionQueues = any(CompletionQueues.values());
        return new ConnectionPlan(
                options, psns, depth, completionQueues, any(MemoryLayout.values()), random.nextInt(3) == 0);
    }

    /** Most queue pairs wrap their PSN during the run. */
    private int startPsn() {
        return random.nextInt(3) == 0 ? random.nextInt(PSN_MASK + 1) : PSN_MASK - random.nextInt(200);
    }

    private NetworkPlan network(ConnectOptions options) {
        long timeoutNs = 4_096L << options.timeout();
        double refusal = random.nextInt(2) == 0 ? 0 : fault();
        long blackoutNs = random.nextInt(4) == 0 ? random.nextLong(timeoutNs) : 0;
        long blackoutLengthNs = random.nextLong(1, 2 * timeoutNs);
        long faultsNs = random.nextInt(3) == 0 ? random.nextLong(8 * timeoutNs) : Sweep.MAX_FAULTS_NS;
        return new NetworkPlan(direction(), direction(), refusal, blackoutNs, blackoutLengthNs, faultsNs);
    }

    /** A round trip with every delay at its worst stays below the shortest transport timer a plan has, 1 ms. */
    private FabricOptions direction() {
        return new FabricOptions(
                fault(), fault(), fault(), fault(), random.nextLong(500, 30_000), random.nextLong(20_000));
    }

    /** From 0.1 % to 5 %, evenly on a logarithmic scale. */
    private double fault() {
        return MIN_FAULT * Math.pow(MAX_FAULT / MIN_FAULT, random.nextDouble());
    }

    private List<LanePlan> lanes(ConnectionPlan connection, List<Word> words) {
        int count = 2 * connection.queuePairs();
        int packets = random.nextInt(MIN_PACKETS, MAX_PACKETS) / count;
        List<LanePlan> lanes = new ArrayList<>();
        for (int queuePair = 0; queuePair < connection.queuePairs(); queuePair++) {
            for (Side from : Side.values()) {
                lanes.add(lane(connection, queuePair, from, new LaneInput(words, packets)));
            }
        }
        return lanes;
    }

    private LanePlan lane(ConnectionPlan connection, int queuePair, Side from, LaneInput input) {
        MessageSizes sizes = new MessageSizes(connection.pathMtu().bytes());
        SharedState shared = new SharedState(seed, from.other(), connection.depth(), input.sharedWords());
        LaneGenerator generator =
                new LaneGenerator(random.split(), sizes, allocator(from), allocator(from.other()), shared);
        List<Operation> operations = generator.generate(random.nextInt(1, 120), input.packets());
        return new LanePlan(queuePair, from, operations, receives(connection));
    }

    private ReceivePolicy receives(ConnectionPlan connection) {
        boolean late = random.nextInt(3) == 0;
        int initially = late ? 0 : connection.depth();
        long everyNs = late ? random.nextLong(20_000, 400_000) : 0;
        return new ReceivePolicy(initially, late ? random.nextInt(1, 9) : connection.depth(), everyNs);
    }

    private AreaAllocator allocator(Side side) {
        AreaAllocator allocator = memory.get(side);
        if (allocator == null) {
            throw new IllegalStateException("no memory for " + side);
        }
        return allocator;
    }

    private <T> T any(T[] values) {
        return values[random.nextInt(values.length)];
    }

    /** What all lanes are given alike. */
    private record LaneInput(List<Word> sharedWords, int packets) {}
}
