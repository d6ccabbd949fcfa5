package io.rdma4j.tools.sweep;

import io.rdma4j.testkit.sweep.SweepKind;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

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

    /** Refuses what it does not know with the words of the help, where picocli shows the names of the constants. */
    static final class Parser implements ITypeConverter<ProgramKinds> {
        @Override
        public ProgramKinds convert(String text) {
            for (ProgramKinds kind : values()) {
                if (kind.toString().equalsIgnoreCase(text)) {
                    return kind;
                }
            }
            throw new TypeConversionException("it has to be traffic, model or all, not '" + text + "'");
        }
    }
}
