package io.rdma4j.testkit.model;

import io.rdma4j.verbs.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** Sets of access rights for regions and queue pairs. */
final class Rights {
    static final Set<AccessFlag> ALL =
            Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);

    private Rights() {}

    /** Rights that a region can have: remote writing and atomics need local writing (§11.1). */
    static Set<AccessFlag> ofRegion(SplittableRandom random) {
        List<AccessFlag> flags = new ArrayList<>();
        if (random.nextInt(4) != 0) {
            flags.add(AccessFlag.LOCAL_WRITE);
            addIf(flags, AccessFlag.REMOTE_WRITE, random.nextInt(3) != 0);
            addIf(flags, AccessFlag.REMOTE_ATOMIC, random.nextInt(3) != 0);
        }
        addIf(flags, AccessFlag.REMOTE_READ, random.nextInt(3) != 0);
        return Set.copyOf(flags);
    }

    /** What a queue pair lets its peer do: nearly always everything. */
    static Set<AccessFlag> ofQueuePair(SplittableRandom random) {
        if (random.nextInt(4) != 0) {
            return Set.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);
        }
        List<AccessFlag> flags = new ArrayList<>();
        addIf(flags, AccessFlag.REMOTE_WRITE, random.nextInt(3) != 0);
        addIf(flags, AccessFlag.REMOTE_READ, random.nextInt(3) != 0);
        addIf(flags, AccessFlag.REMOTE_ATOMIC, random.nextInt(3) != 0);
        return Set.copyOf(flags);
    }

    private static void addIf(List<AccessFlag> flags, AccessFlag flag, boolean wanted) {
        if (wanted) {
            flags.add(flag);
        }
    }
}
