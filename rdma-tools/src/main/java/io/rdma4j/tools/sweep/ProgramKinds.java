package io.rdma4j.tools.sweep;

import io.rdma4j.testkit.sweep.SweepKind;
import java.util.List;
import java.util.Locale;

/** What {@code --kind} can say. */
enum ProgramKinds {
    TRAFFIC,
    MODEL,
    ALL;

    List<SweepKind> kinds() {
        return switch (this) {
            case TRAFFIC -> List.of(SweepKind.TRAFFIC);
            case MODEL -> List.of(SweepKind.MODEL);
            case ALL -> List.of(SweepKind.values());
        };
    }

    /** As it is written on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
