package io.rdma4j.testkit.sweep;

import io.rdma4j.testkit.sweep.Operation.AddMessage;
import io.rdma4j.testkit.sweep.Operation.Flags;
import io.rdma4j.testkit.sweep.Operation.ReadMessage;
import io.rdma4j.testkit.sweep.Operation.SendMessage;
import io.rdma4j.testkit.sweep.Operation.SwapMessage;
import io.rdma4j.testkit.sweep.Operation.Word;
import io.rdma4j.testkit.sweep.Operation.WriteMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Makes the operations of one lane. Only the lane itself writes what it reads, so the outcome does not depend on others. */
final class LaneGenerator {
    private static final int MAX_SGES = 4;
    private static final int LARGEST_MESSAGE = 1 << 20;
    private static final int KINDS = 5;
    private static final int PRIVATE_WORDS = 2;

    private final SplittableRandom random;
    private final MessageSizes sizes;
    private final AreaAllocator own;
    private final AreaAllocator remote;
    private final int depth;
    private final List<Word> sharedWords;
    private final List<PrivateWord> privateWords = new ArrayList<>();
    private final List<Target> targets = new ArrayList<>();
    private final List<List<Area>> sinks = new ArrayList<>();
    private final List<Operation> operations = new ArrayList<>();
    private int unsignaledRun;

    LaneGenerator(
            SplittableRandom random, MessageSizes sizes, AreaAllocator own, AreaAllocator remote, SharedState shared) {
        this.random = random;
        this.sizes = sizes;
        this.own = own;
        this.remote = remote;
        this.depth = shared.depth();
        this.sharedWords = shared.wordsOfRemote();
        for (int i = 0; i < PRIVATE_WORDS; i++) {
            int offset = remote.takeWord();
            long initial = InitialMemory.word(shared.seed(), shared.remoteSide(), offset);
            privateWords.add(new PrivateWord(new Word(offset, false), initial));
        }
    }

    /** What a lane shares with the others: the seed, the queue depth, and the words all of them may add to. */
    record SharedState(long seed, Side remoteSide, int depth, List<Word> wordsOfRemote) {}

    /** Makes at most {@code count} operations of at most {@code packets} packets. */
    List<Operation> generate(int count, int packets) {
        int[] weights = weights();
        int left = packets;
        for (int i = 0; i < count && left > 0; i++) {
            boolean last = i == count - 1;
            int before = operations.size();
            int length = sizes.next(random, Math.min(LARGEST_MESSAGE, left * sizes.mtu()));
            operations.add(next(kind(weights), length, last));
            left -= sizes.packets(bytes(operations.get(before)));
        }
        signalLast();
        return operations;
    }

    private Operation next(int kind, int length, boolean last) {
        boolean signaled = signaled(last);
        return switch (kind) {
            case 0 -> send(signaled, length);
            case 1 -> write(signaled, length);
            case 2 -> read(signaled, length);
            case 3 -> add(signaled);
            default -> swap(signaled);
        };
    }

    private SendMessage send(boolean signaled, int length) {
        boolean forward = forwards();
        List<Area> source = forward ? anySink() : own.takePieces(length, MAX_SGES);
        int message = Area.length(source);
        int room = random.nextInt(3) == 0 ? message + random.nextInt(1, 200) : message;
        List<Area> receive = remote.takePieces(room, MAX_SGES);
        return new SendMessage(new Flags(signaled, forward), source, receive);
    }

    private WriteMessage write(boolean signaled, int length) {
        if (!targets.isEmpty() && random.nextInt(3) == 0) {
            return overwrite(signaled);
        }
        boolean forward = forwards();
        List<Area> source = forward ? anySink() : own.takePieces(length, MAX_SGES);
        Target target = new Target(remote.take(Area.length(source)));
        targets.add(target);
        return new WriteMessage(new Flags(signaled, forward), source, target.area);
    }

    /** A second WRITE of the same bytes; one that a READ must not see waits for the READ by a fence. */
    private WriteMessage overwrite(boolean signaled) {
        Target target = targets.get(random.nextInt(targets.size()));
        boolean fenced = target.read;
        target.read = false;
        List<Area> source = own.takePieces(target.area.length(), MAX_SGES);
        return new WriteMessage(new Flags(signaled, fenced), source, target.area);
    }

    private ReadMessage read(boolean signaled, int length) {
        Area source;
        if (!targets.isEmpty() && random.nextInt(2) == 0) {
            Target target = targets.get(random.nextInt(targets.size()));
            target.read = true;
            source = target.area;
        } else {
            source = remote.take(length);
        }
        List<Area> sink = own.takePieces(source.length(), MAX_SGES);
        if (!sink.isEmpty()) {
            sinks.add(sink);
        }
        return new ReadMessage(new Flags(signaled, random.nextInt(8) == 0), sink, source);
    }

    private AddMessage add(boolean signaled) {
        long add = random.nextLong();
        Flags flags = new Flags(signaled, random.nextInt(8) == 0);
        Area sink = own.take(Long.BYTES);
        if (!sharedWords.isEmpty() && random.nextInt(3) != 0) {
            return new AddMessage(flags, sink, sharedWords.get(random.nextInt(sharedWords.size())), add);
        }
        PrivateWord word = anyWord();
        word.value += add;
        return new AddMessage(flags, sink, word.word, add);
    }

    private SwapMessage swap(boolean signaled) {
        PrivateWord word = anyWord();
        boolean hits = random.nextInt(3) != 0;
        long compare = hits ? word.value : random.nextLong();
        long swap = random.nextLong();
        if (compare == word.value) {
            word.value = swap;
        }
        Flags flags = new Flags(signaled, random.nextInt(8) == 0);
        return new SwapMessage(flags, own.take(Long.BYTES), word.word, compare, swap);
    }

    private boolean forwards() {
        return !sinks.isEmpty() && random.nextInt(8) == 0;
    }

    /** What a READ brought: who sends it on must wait for the READ, by a fence. */
    private List<Area> anySink() {
        return sinks.get(random.nextInt(sinks.size()));
    }

    private PrivateWord anyWord() {
        return privateWords.get(random.nextInt(privateWords.size()));
    }

    /** Slots are freed by completions only, so a queue full of unsignaled requests would never move (§6.2). */
    private boolean signaled(boolean last) {
        boolean signaled = last || unsignaledRun == depth - 1 || random.nextInt(3) != 0;
        unsignaledRun = signaled ? 0 : unsignaledRun + 1;
        return signaled;
    }

    private void signalLast() {
        int last = operations.size() - 1;
        Operation operation = operations.get(last);
        Flags flags = new Flags(true, operation.flags().fenced());
        operations.set(last, withFlags(operation, flags));
    }

    private static Operation withFlags(Operation operation, Flags flags) {
        if (operation instanceof SendMessage send) {
            return new SendMessage(flags, send.local(), send.receive());
        } else if (operation instanceof WriteMessage write) {
            return new WriteMessage(flags, write.local(), write.target());
        } else if (operation instanceof ReadMessage read) {
            return new ReadMessage(flags, read.local(), read.source());
        } else if (operation instanceof AddMessage add) {
            return new AddMessage(flags, add.sink(), add.word(), add.add());
        }
        SwapMessage swap = (SwapMessage) operation;
        return new SwapMessage(flags, swap.sink(), swap.word(), swap.compare(), swap.swap());
    }

    /** Some lanes have every kind of operation, some only one or two. */
    private int[] weights() {
        int[] weights = new int[KINDS];
        for (int kind = 0; kind < KINDS; kind++) {
            weights[kind] = random.nextInt(4);
        }
        weights[random.nextInt(KINDS)]++;
        return weights;
    }

    private int kind(int[] weights) {
        int total = 0;
        for (int weight : weights) {
            total += weight;
        }
        int pick = random.nextInt(total);
        int kind = 0;
        while (pick >= weights[kind]) {
            pick -= weights[kind++];
        }
        return kind;
    }

    private static int bytes(Operation operation) {
        return Area.length(operation.local());
    }

    /** A range this lane has written, and whether it has read it since. */
    private static final class Target {
        private final Area area;
        private boolean read;

        private Target(Area area) {
            this.area = area;
        }
    }

    /** A word only this lane uses, and its value after the operations so far. */
    private static final class PrivateWord {
        private final Word word;
        private long value;

        private PrivateWord(Word word, long value) {
            this.word = word;
            this.value = value;
        }
    }
}
