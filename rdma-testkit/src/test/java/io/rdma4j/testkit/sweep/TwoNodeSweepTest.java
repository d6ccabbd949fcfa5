package io.rdma4j.testkit.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Generated programs on a hostile network: SEND and WRITE with all that they can carry, READ, FETCH&ADD and COMPARE&SWAP
 * both ways at all MTUs, under loss, duplication, reordering and corruption of 0.1 to 5 % each.
 */
class TwoNodeSweepTest {
    static final int SEEDS = 200;

    private final Sweep sweep = new Sweep(SweepKind.TRAFFIC, Path.of("target", "sweep"));

    static LongStream seeds() {
        return LongStream.range(0, SEEDS);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void seed(long seed) {
        SeedOutcome result = sweep.run(seed);

        assertThat(result.frames()).isPositive();
    }

    @Test
    void sameSeedGivesTheSameRun() {
        assertThat(sweep.run(5)).isEqualTo(sweep.run(5));
    }

    @Test
    void otherSeedGivesAnotherRun() {
        assertThat(sweep.run(5).traceHash()).isNotEqualTo(sweep.run(6).traceHash());
    }
}
