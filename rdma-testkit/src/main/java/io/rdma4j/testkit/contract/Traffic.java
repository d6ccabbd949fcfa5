package io.rdma4j.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rdma4j.verbs.CompareAndSwap;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.FetchAndAdd;
import io.rdma4j.verbs.SendRequest;
import io.rdma4j.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;

/** Many operations on one or more pairs at once, each verified to the byte when it has completed. */
final class Traffic {
    private final ContractBed bed;
    private final List<Lane> lanes = new ArrayList<>();

    /**
     * Traffic on so many pairs.
     *
     * @param window operations that each pair has outstanding
     */
    Traffic(ContractBed bed, PairPlan plan, int pairs, Mix mix, int window) {
        this.bed = bed;
        int area = window * mix.maxBytes;
        for (int i = 0; i < pairs; i++) {
            Pair pair = bed.pair(plan.memory(2 * area + Long.BYTES)
                    .completions(4 * window)
                    .shape(config -> config.maxSendWorkRequests(window).maxReceiveWorkRequests(window)));
            lanes.add(new Lane(pair, mix, window, i));
        }
    }

    /**
     * What operations, and of what size.
     *
     * @param operations chosen by chance for each
     * @param minBytes of each, atomics always have eight
     * @param maxBytes of each, eight or more
     */
    record Mix(List<Operation> operations, int minBytes, int maxBytes) {
        static Mix of(Operation operation, int bytes) {
            return new Mix(List.of(operation), bytes, bytes);
        }
    }

    /** Does so many on each pair. */
    void run(int each) {
        lanes.forEach(lane -> lane.end = lane.posted + each);
        while (lanes.stream().anyMatch(Lane::isBusy)) {
            bed.expect("progress of the traffic", this::step);
        }
    }

    private boolean step() {
        boolean progress = false;
        for (Lane lane : lanes) {
            progress |= lane.step();
        }
        return progress;
    }

    /** One pair and what is under way on it. */
    private static final class Lane {
        private final Pair pair;
        private final Mix mix;
        private final int window;
        private final SplittableRandom random;
        private final Operation[] operations;
        private final int[] bytes;
        private final long[] fetched;
        private final BitSet sent;
        private final BitSet received;
        private final WorkCompletion[] done = WorkCompletion.array(8);
        private final int sink;
        private final int wordAt;
        private int end;
        private int posted;
        private int finished;
        private long word;

        Lane(Pair pair, Mix mix, int window, long seed) {
            this.pair = pair;
            this.mix = mix;
            this.window = window;
            this.random = new SplittableRandom(seed);
            operations = new Operation[window];
            bytes = new int[window];
            fetched = new long[window];
            sent = new BitSet(window);
            received = new BitSet(window);
            sink = window * mix.maxBytes;
            wordAt = 2 * sink;
            pair.b().memory().putLong(wordAt, 0);
        }

        boolean isBusy() {
            return finished < end;
        }

        boolean step() {
            if (posted < end && posted - finished < window) {
                post(posted++);
                return true;
            }
            int completed = take(pair.a().sends(), sent) + take(pair.b().receives(), received);
            while (finished < posted && isFinished(finished % window)) {
                verify(finished++);
            }
            return completed > 0;
        }

        private int take(CompletionQueue queue, BitSet into) {
            int n = queue.poll(done);
            for (int i = 0; i < n; i++) {
                assertTrue(done[i].isSuccess(), done[i]::toString);
                int slot = (int) (done[i].workRequestId() % window);
                assertTrue(!into.get(slot), () -> "completed twice: " + slot);
                into.set(slot);
            }
            return n;
        }

        private boolean isFinished(int slot) {
            return sent.get(slot) && (!operations[slot].needsReceive() || received.get(slot));
        }

        private void post(int id) {
            int slot = id % window;
            int at = slot * mix.maxBytes;
            Operation operation = mix.operations.get(random.nextInt(mix.operations.size()));
            operations[slot] = operation;
            bytes[slot] = mix.minBytes + random.nextInt(mix.maxBytes - mix.minBytes + 1);
            sent.clear(slot);
            received.clear(slot);
            End a = pair.a();
            End b = pair.b();
            if (Operation.ATOMICS.contains(operation)) {
                fetched[slot] = word;
                a.post(atomic(operation, id, at));
                return;
            }
            if (operation.needsReceive()) {
                b.postReceive(id, sink + at, mix.maxBytes);
            }
            boolean isRead = operation == Operation.READ;
            a.post(operation.request(
                    id, a.slice((isRead ? sink : 0) + at, bytes[slot]), b.address((isRead ? 0 : sink) + at), b.key()));
        }

        private SendRequest atomic(Operation operation, int id, int at) {
            End a = pair.a();
            long address = pair.b().address(wordAt);
            long expected = word++;
            return operation == Operation.FETCH_ADD
                    ? FetchAndAdd.of(id, a.slice(sink + at, Long.BYTES), 1)
                            .at(address, pair.b().key())
                            .signaled()
                    : CompareAndSwap.of(id, a.slice(sink + at, Long.BYTES), expected, expected + 1)
                            .at(address, pair.b().key())
                            .signaled();
        }

        private void verify(int id) {
            int slot = id % window;
            int at = slot * mix.maxBytes;
            switch (operations[slot]) {
                case FETCH_ADD, COMPARE_SWAP ->
                    assertEquals(fetched[slot], pair.a().memory().getLong(sink + at), "the former value");
                case READ -> Pair.expectSame(pair.b(), at, pair.a(), sink + at, bytes[slot]);
                default -> Pair.expectSame(pair.a(), at, pair.b(), sink + at, bytes[slot]);
            }
        }
    }
}
