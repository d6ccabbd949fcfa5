package io.rdma4j.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.function.Executable;

/** What every refusal has: its code, and a message that begins with it. */
final class Refusals {
    private Refusals() {}

    /** Runs a call that must be refused with a code; the result checks the words. */
    static AbstractThrowableAssert<?, ?> assertRefused(ErrorCode code, Executable call) {
        RdmaException refusal = assertThrows(RdmaException.class, call);
        assertThat(refusal.code()).isEqualTo(code);
        return assertThat(refusal).hasMessageStartingWith(code.name() + ": ");
    }
}
