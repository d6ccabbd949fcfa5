package io.rdma4j.testkit.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Seeds that found something, by what they found. A change of the generator changes what a seed does, so each bug has a
 * scenario of its own too, which is named here.
 */
class RegressionSeedsTest {
    private final Sweep sweep = new Sweep(SweepKind.TRAFFIC, Path.of("target", "sweep"));

    /**
     * A READ was asked for again across the end of its original request, which the responder did not remember as one:
     * {@code ReadAtomicScenarioTest.lostResponseOfALongReadIsAskedForWithinItsOriginalRequest}.
     *
     * <p>A duplicate made an answered READ or atomic due again, and a new one met NAK 0x61:
     * {@code ReadAtomicScenarioTest.answerToADuplicateDoesNotStandInTheWayOfANewRead}.
     */
    @ParameterizedTest(name = "{1}: seed {0}")
    @CsvSource({
        "4, repeated READ beyond its request",
        "7, repeated READ beyond its request",
        "9, new READ while an old answer is repeated",
        "475, new swap while an old answer is repeated",
        "498, new addition while an old answer is repeated"
    })
    void seed(long seed, String found) {
        assertThat(sweep.run(seed).frames()).as(found).isPositive();
    }
}
