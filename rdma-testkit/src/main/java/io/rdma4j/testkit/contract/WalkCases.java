package io.rdma4j.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rdma4j.testkit.verbs.HostMemory;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.WorkCompletion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/** Random sequences of verbs, checked for liveness: whatever was posted completes, whatever is made can be closed. */
final class WalkCases {
    private WalkCases() {}

    static List<ContractCase> cases() {
        return List.of(
                walk("walk/SingleClientControlPath", 1, true, false),
                walk("walk/SingleClientDataPath", 1, false, true),
                walk("walk/TwoClientsControlPath", 2, true, false),
                walk("walk/TwoClientsMixed", 2, true, true));
    }

    private static ContractCase walk(String id, int clients, boolean isControl, boolean isData) {
        return ContractCase.of(
                        id, "a random walk over the verbs: all that was posted completes, all that was made is closed")
                .covers(Feature.NO_LEAKS, Feature.THREADS)
                .each(List.of(1, 2, 3), (bed, seed) -> {
                    int steps = bed.scaled("steps", 3_000, 300);
                    List<Client> walkers = new ArrayList<>();
                    for (int i = 0; i < clients; i++) {
                        walkers.add(new Client(bed, seed * 10L + i, steps, isControl, isData));
                    }
                    bed.run(walkers);
                    walkers.forEach(Client::finish);
                });
    }

    /** One walker, between the two devices of the bed. */
    private static final class Client implements Worker {
        private final ContractBed bed;
        private final SplittableRandom random;
        private final boolean isControl;
        private final boolean isData;
        private final Pair pair;
        private final CompletionQueue queue;
        private final Deque<MemoryRegion> regions = new ArrayDeque<>();
        private final Deque<QueuePair> queuePairs = new ArrayDeque<>();
        private final WorkCompletion[] done = WorkCompletion.array(8);
        private int left;
        private long posted;
        private long completed;
        private long receivesPosted;
        private long receivesCompleted;

        Client(ContractBed bed, long seed, int steps, boolean isControl, boolean isData) {
            this.bed = bed;
            this.random = new SplittableRandom(seed);
            this.left = steps;
            this.isControl = isControl;
            this.isData = isData;
            pair = bed.pair(PairPlan.RELIABLE.completions(4_096));
            queue = bed.closing(bed.device(0).createCompletionQueue(64));
        }

        @Override
        public boolean step() {
            if (isControl && (!isData || random.nextBoolean())) {
                control();
            } else {
                data();
            }
            return --left > 0;
        }

        private void control() {
            switch (random.nextInt(6)) {
                case 0 ->
                    regions.add(bed.domain(0)
                            .registerMemory(HostMemory.allocate(random.nextInt(9_000)), AccessFlag.LOCAL_WRITE));
                case 1 -> queuePairs.add(bed.domain(0).createQueuePair(QueuePairConfig.reliable(queue)));
                case 2 -> close(regions);
                case 3 -> close(queuePairs);
                case 4 -> queue.resize(16 + random.nextInt(200));
                default -> move();
            }
        }

        private static void close(Deque<? extends AutoCloseable> objects) {
            AutoCloseable first = objects.poll();
            if (first != null) {
                try {
                    first.close();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }
        }

        private void move() {
            QueuePair first = queuePairs.peek();
            if (first == null) {
                return;
            }
            QueuePairState next = List.of(
                            QueuePairState.INIT, QueuePairState.RTR, QueuePairState.RTS, QueuePairState.RESET)
                    .get(random.nextInt(4));
            try {
                first.modify(QpModifyCases.required(first, next));
                assertEquals(next, first.state());
            } catch (RdmaException e) {
                assertEquals(ErrorCode.EINVAL, e.code(), e::getMessage);
            }
        }

        private void data() {
            poll();
            if (posted - completed >= 64 || receivesPosted - receivesCompleted >= 64) {
                return;
            }
            Operation operation = Operation.values()[random.nextInt(Operation.values().length)];
            if (operation.needsReceive()) {
                pair.b().postReceive(receivesPosted++, 32 << 10, 32 << 10);
            }
            int bytes = Operation.ATOMICS.contains(operation) ? Long.BYTES : random.nextInt(20_000);
            pair.a()
                    .post(operation.request(
                            posted++,
                            pair.a().slice(0, bytes),
                            pair.b().address(0),
                            pair.b().key()));
        }

        private void poll() {
            int n = pair.a().sends().poll(done);
            for (int i = 0; i < n; i++) {
                assertEquals(completed++, done[i].workRequestId(), done[i]::toString);
                assertEquals(true, done[i].isSuccess(), done[i]::toString);
            }
            n = pair.b().receives().poll(done);
            for (int i = 0; i < n; i++) {
                assertEquals(receivesCompleted++, done[i].workRequestId(), done[i]::toString);
                assertEquals(true, done[i].isSuccess(), done[i]::toString);
            }
        }

        void finish() {
            bed.expect("the rest of the walk", () -> {
                poll();
                return completed == posted && receivesCompleted == receivesPosted;
            });
            while (!regions.isEmpty()) {
                close(regions);
            }
            while (!queuePairs.isEmpty()) {
                close(queuePairs);
            }
        }
    }
}
