package io.rdma4j.core.rc;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.Send;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the operating system refuses to send counts as lost; when nothing gets through, the user is to learn why. */
class SendRefusalTest {
    private static final TapeSetup IMPATIENT = new TapeSetup().timeout(8).retries(1, 7);

    private static String causeOf(Tape tape, int completion) {
        return tape.history(tape.sendQueue).get(completion).cause();
    }

    @Test
    @DisplayName("§6.3: RETRY_EXC_ERR names the error with which the system refused the last send")
    void named() {
        try (Tape tape = IMPATIENT.start()) {
            tape.post(Send.of(1), Send.of(2)).engine.sendRefused(Tape.PEER, "ENETUNREACH");
            tape.engine.sendRefused(Tape.PEER, "EPERM");
            tape.elapse(5 * Tape.MS)
                    .sendDone("1 RETRY_EXC_ERR", "2 WR_FLUSH_ERR")
                    .forget();
            assertThat(causeOf(tape, 0)).endsWith("; the last send was refused by the system: EPERM");
            assertThat(causeOf(tape, 1)).contains("RETRY_EXC_ERR", "refused by the system: EPERM");
        }
    }

    @Test
    @DisplayName("§6.3: a refusal that was followed by an acknowledgement is no reason any more, nor is another peer's")
    void forgotten() {
        try (Tape tape = IMPATIENT.start()) {
            tape.post(Send.of(1)).engine.sendRefused(Tape.PEER, "EPERM");
            tape.in("ACK psn=100").post(Send.of(2)).engine.sendRefused(Gid.parse("192.0.2.99"), "EPERM");
            tape.elapse(5 * Tape.MS).sendDone("2 RETRY_EXC_ERR").forget();
            assertThat(causeOf(tape, 0)).doesNotContain("refused");
        }
    }
}
