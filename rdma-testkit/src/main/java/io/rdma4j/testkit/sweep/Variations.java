package io.rdma4j.testkit.sweep;

import io.rdma4j.testkit.sweep.Operation.Notice;
import io.rdma4j.testkit.sweep.Operation.ReadMessage;
import io.rdma4j.testkit.sweep.Operation.SendMessage;
import io.rdma4j.testkit.sweep.Operation.WriteMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Adds to a program what its operations can do besides: immediate data, invalidation, inline data, the solicited event,
 * and lists of up to 32 pieces. Its chance is its own, so that the program is otherwise as it was.
 */
final class Variations {
    static final int MAX_SGES = 32;
    static final int MAX_INLINE = 1024;

    /** Keys a lane may invalidate; each takes a region. */
    private static final int MAX_INVALIDATIONS = 8;

    /** Of the seeds that it leaves alone are those of {@code RegressionSeedsTest}, so that they do what they always did. */
    private static final long SALT = 0x5EED_030CL;

    private static final long SHARED_RECEIVES_SALT = 0x5EED_0512L;

    private final SplittableRandom random;
    private final boolean inForce;

    Variations(long seed) {
        random = new SplittableRandom(seed ^ SALT);
        inForce = random.nextInt(3) != 0;
    }

    /** Whether the queue pairs of a seed take their receives from shared queues. */
    static boolean sharedReceives(long seed) {
        return new SplittableRandom(seed ^ SHARED_RECEIVES_SALT).nextInt(3) == 0;
    }

    List<LanePlan> of(List<LanePlan> lanes) {
        return inForce ? lanes.stream().map(this::vary).toList() : lanes;
    }

    private LanePlan vary(LanePlan lane) {
        List<Operation> varied = new ArrayList<>();
        int invalidations = 0;
        for (Operation operation : lane.operations()) {
            if (operation instanceof SendMessage send) {
                Notice notice = notice(operation, invalidations < MAX_INVALIDATIONS ? invalidations : -1);
                invalidations += notice.kind() == Notice.Kind.INVALIDATE ? 1 : 0;
                varied.add(new SendMessage(send.flags(), cut(send.local()), cut(send.receive()), notice));
            } else if (operation instanceof WriteMessage write) {
                varied.add(new WriteMessage(write.flags(), cut(write.local()), write.target(), notice(operation, -1)));
            } else if (operation instanceof ReadMessage read) {
                varied.add(new ReadMessage(read.flags(), cut(read.local()), read.source()));
            } else {
                varied.add(operation);
            }
        }
        return new LanePlan(lane.queuePair(), lane.from(), varied, lane.receives());
    }

    /**
     * What a message is sent with.
     *
     * @param key the number of the key it may invalidate, negative if it may not
     */
    private Notice notice(Operation operation, int key) {
        // What a READ brings first is not there yet when the request is posted; such a request is fenced.
        boolean inline =
                !operation.flags().fenced() && Area.length(operation.local()) <= MAX_INLINE && random.nextInt(2) == 0;
        boolean solicited = random.nextInt(4) == 0;
        int pick = random.nextInt(12);
        if (pick < 4) {
            return new Notice(Notice.Kind.IMMEDIATE, random.nextInt(), solicited, inline);
        }
        if (pick == 4 && key >= 0) {
            return new Notice(Notice.Kind.INVALIDATE, key, solicited, inline);
        }
        return new Notice(Notice.Kind.NONE, 0, solicited && operation instanceof SendMessage, inline);
    }

    /** The same bytes in more pieces, some of them empty; where one ends the next begins. */
    private List<Area> cut(List<Area> pieces) {
        if (pieces.isEmpty() || random.nextInt(4) != 0) {
            return pieces;
        }
        int each = random.nextInt(1, MAX_SGES / pieces.size() + 1);
        List<Area> more = new ArrayList<>();
        for (Area piece : pieces) {
            int at = piece.offset();
            for (int i = 1; i < each; i++) {
                int length = random.nextInt(piece.end() - at + 1);
                more.add(new Area(at, length));
                at += length;
            }
            more.add(new Area(at, piece.end() - at));
        }
        return more;
    }
}
