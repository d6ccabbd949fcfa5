package io.rdma4j.testkit.sweep;

import io.rdma4j.testkit.model.ModelProgram;
import java.util.Locale;

/** The kinds of programs that a seed can be turned into. */
public enum SweepKind {
    /** Correct programs between two nodes on a hostile network: everything must succeed, once, in order, byte for byte. */
    TRAFFIC {
        @Override
        SeedProgram program(long seed, boolean spoiled) {
            return new TrafficProgram(SweepGenerator.generate(seed), spoiled);
        }
    },

    /** Programs with mistakes in them: memory and every completion must be as plain arrays and the specification say. */
    MODEL {
        @Override
        SeedProgram program(long seed, boolean spoiled) {
            return new ModelSeed(ModelProgram.of(seed), spoiled);
        }
    };

    /** Makes the program of a seed; a spoiled one expects a wrong byte at its end. */
    abstract SeedProgram program(long seed, boolean spoiled);

    /** The name as it stands in file names and on the command line: {@code traffic}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
