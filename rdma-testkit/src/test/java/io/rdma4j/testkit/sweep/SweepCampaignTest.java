package io.rdma4j.testkit.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many seeds on several threads, one of them again, and what a failed one leaves behind. */
class SweepCampaignTest {
    private static final long FROM = 40;
    private static final int COUNT = 6;
    private static final long SPOILED = 43;

    @TempDir
    Path directory;

    @Test
    void eachSeedRunsOnceAndGivesTheSameOnAnyNumberOfThreads() {
        Map<Long, Long> onOne = hashes(1);

        assertThat(onOne).hasSize(COUNT).containsKeys(FROM, FROM + COUNT - 1);
        assertThat(hashes(3)).isEqualTo(onOne);
        assertThat(directory).isEmptyDirectory();
    }

    private Map<Long, Long> hashes(int threads) {
        Map<Long, Long> hashes = new TreeMap<>();
        CampaignResult result = campaign(sweep(), threads).run(outcomes -> {
            assertThat(outcomes).hasSize(1);
            SeedOutcome outcome = outcomes.get(0);
            assertThat(hashes.put(outcome.seed(), outcome.traceHash())).isNull();
        });
        assertThat(result.passed()).isEqualTo(COUNT);
        assertThat(result.failed()).isZero();
        assertThat(result.complete()).isTrue();
        return hashes;
    }

    @Test
    void failingSeedIsCountedAndReportedWithItsFaultsAndCapture() {
        CampaignResult result = campaign(sweep().spoiled(Set.of(SPOILED)), 2).run(outcomes -> {});

        assertThat(result.failed()).isEqualTo(1);
        assertThat(result.passed()).isEqualTo(COUNT - 1);
        assertThat(result.failures()).hasSize(1);
        SeedOutcome failure = result.failures().get(0);
        assertThat(failure.seed()).isEqualTo(SPOILED);
        assertThat(failure.problem()).contains("memory of B at the end");
        assertThat(failure.plan()).contains("loss=", "duplicate=", "corrupt=");
        SeedRecording recording = Objects.requireNonNull(failure.recording());
        assertThat(recording.sent()).isNotEmptyFile();
        assertThat(recording.arrived()).isNotEmptyFile();
        assertThat(recording.report()).content().contains("traffic seed " + SPOILED, "loss=");
    }

    @Test
    void replayGivesWhatTheFailingRunRecordedToTheByteEveryTime() throws IOException {
        Sweep sweep = sweep().spoiled(Set.of(SPOILED));
        SeedOutcome failed = sweep.attempt(SPOILED);
        SeedRecording files = Objects.requireNonNull(failed.recording());
        List<byte[]> recorded = bytes(files);

        SeedOutcome replayed = sweep.replay(SPOILED);

        assertThat(replayed).isEqualTo(failed);
        assertThat(bytes(files)).usingRecursiveComparison().isEqualTo(recorded);
        assertThat(new Sweep(SweepKind.TRAFFIC, directory.resolve("other")).replay(SPOILED))
                .as("what the checkers say changes nothing in the run")
                .satisfies(outcome -> assertThat(outcome.passed()).isTrue())
                .satisfies(outcome -> assertThat(outcome.traceHash()).isEqualTo(failed.traceHash()))
                .satisfies(outcome -> assertThat(
                                Objects.requireNonNull(outcome.recording()).trace())
                        .hasSameBinaryContentAs(files.trace()));
    }

    private static List<byte[]> bytes(SeedRecording files) throws IOException {
        return List.of(
                Files.readAllBytes(files.sent()),
                Files.readAllBytes(files.arrived()),
                Files.readAllBytes(files.trace()),
                Files.readAllBytes(files.report()));
    }

    @Test
    void stoppedCampaignKeepsWhatIsDone() {
        SweepCampaign campaign = new SweepCampaign(List.of(sweep()), FROM, 1_000_000_000, 2);

        CampaignResult result = campaign.run(outcomes -> campaign.stop());

        assertThat(result.passed()).isBetween(1L, 10L);
        assertThat(result.complete()).isFalse();
    }

    @Test
    void campaignEndsWhenFarTooManySeedsFail() {
        Sweep spoiled = sweep().spoiled(Set.of(1L, 2L, 3L));

        CampaignResult result = new SweepCampaign(List.of(spoiled), 1, 1_000_000, 2, 2).run(outcomes -> {});

        assertThat(result.failed()).isBetween(2L, 3L);
        assertThat(result.complete()).isFalse();
    }

    @Test
    void reportThatCannotBeWrittenEndsTheCampaignInWords() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        Sweep nowhere = new Sweep(SweepKind.TRAFFIC, file.resolve("below")).spoiled(Set.of(FROM));

        assertThatThrownBy(() -> campaign(nowhere, 2).run(outcomes -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("file");
    }

    private Sweep sweep() {
        return new Sweep(SweepKind.TRAFFIC, directory);
    }

    private static SweepCampaign campaign(Sweep sweep, int threads) {
        return new SweepCampaign(List.of(sweep), FROM, COUNT, threads);
    }
}
