package io.rdma4j.tools.vsh.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What verbs shells on Linux soft-RoCE were told and answered, said to shells on two devices of ours: the answers are the
 * same, but for the reviewed differences.
 */
@DisplayName("sessions recorded on Linux soft-RoCE, replayed")
class TranscriptReplayTest {
    static List<Transcript> transcripts() {
        return Transcript.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("transcripts")
    void isAnsweredAsOnLinux(Transcript transcript) {
        assertThat(problems(transcript, ReviewedDifferences.read())).isEmpty();
    }

    @ParameterizedTest(name = "{0}: frames")
    @MethodSource("transcripts")
    void sendsTheFramesThatLinuxSent(Transcript transcript) {
        try (Replay replay = new Replay(transcript, Faults.read())) {
            replay.run();

            List<String> ours = FrameLines.ofOurs(replay.fabric().trace());
            assertThat(LineDiff.of(FrameLines.ofLinux(transcript), ours))
                    .isEqualTo(ReviewedFrames.read().of(transcript.name()));
        }
    }

    @Test
    @DisplayName("there are 41 transcripts, and each row of the reviewed list is about one of them")
    void theListHasNoRowTooMany() {
        ReviewedDifferences differences = ReviewedDifferences.read();
        transcripts().forEach(transcript -> problems(transcript, differences));

        assertThat(Transcript.all()).hasSize(41);
        assertThat(differences.unused()).isEmpty();
        assertThat(ReviewedFrames.read().transcripts())
                .isSubsetOf(Transcript.all().stream().map(Transcript::name).toList());
    }

    private static List<String> problems(Transcript transcript, ReviewedDifferences differences) {
        try (Replay replay = new Replay(transcript, Faults.read())) {
            replay.run();
            return differences.check(transcript, replay.answers());
        }
    }
}
