package io.rdma4j.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.testkit.fabric.Fabric;
import io.rdma4j.testkit.sweep.Sweep;
import io.rdma4j.testkit.sweep.SweepKind;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Generated verbs programs with mistakes in them, against plain arrays: memory and every completion on both sides. */
class ModelProgramTest {
    private static final int SEEDS = 200;
    private static final int COVERAGE_SEEDS = 40;

    private final Sweep sweep = new Sweep(SweepKind.MODEL, Path.of("target", "sweep"));

    static LongStream seeds() {
        return LongStream.range(0, SEEDS);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    @DisplayName("§6.2, §7.2, §8.1, §8.2, §8.3, §8.5: what each request comes to, on either side")
    void seed(long seed) {
        assertThat(sweep.run(seed).frames()).isPositive();
    }

    @Test
    void programsHaveEveryOutcomeInThem() {
        Set<WorkCompletionStatus> wanted = EnumSet.of(
                WorkCompletionStatus.SUCCESS,
                WorkCompletionStatus.LOC_LEN_ERR,
                WorkCompletionStatus.LOC_PROT_ERR,
                WorkCompletionStatus.WR_FLUSH_ERR,
                WorkCompletionStatus.REM_INV_REQ_ERR,
                WorkCompletionStatus.REM_ACCESS_ERR,
                WorkCompletionStatus.REM_OP_ERR,
                WorkCompletionStatus.RNR_RETRY_EXC_ERR);
        Map<WorkCompletionStatus, Long> found = new LinkedHashMap<>();
        for (long seed = 0; seed < COVERAGE_SEEDS; seed++) {
            try (Fabric fabric = new Fabric(seed)) {
                OutcomeTally tally = ModelProgram.of(seed).run(fabric, false);
                wanted.forEach(status -> found.merge(status, tally.of(status), Long::sum));
            }
        }
        assertThat(found).allSatisfy((status, count) -> assertThat(count).isGreaterThan(COVERAGE_SEEDS / 4));
    }

    @Test
    void sameSeedGivesTheSameRunAndOthersDoNot() {
        assertThat(sweep.run(5)).isEqualTo(sweep.run(5));
        assertThat(sweep.run(5).traceHash()).isNotEqualTo(sweep.run(6).traceHash());
    }

    @Test
    void programMayBeRunAgain() {
        ModelProgram program = ModelProgram.of(3);

        assertThat(hash(program)).isEqualTo(hash(program));
    }

    private static long hash(ModelProgram program) {
        try (Fabric fabric = new Fabric(3)) {
            program.run(fabric, false);
            return fabric.trace().hash();
        }
    }

    @Test
    void byteThatIsNotAsTheReferenceSaysIsNoticed() {
        try (Fabric fabric = new Fabric(8)) {
            assertThatThrownBy(() -> ModelProgram.of(8).run(fabric, true))
                    .isInstanceOf(ModelMismatch.class)
                    .hasMessageContaining("memory of B: byte ");
        }
    }
}
