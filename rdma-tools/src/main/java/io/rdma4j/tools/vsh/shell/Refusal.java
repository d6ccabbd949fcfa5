package io.rdma4j.tools.vsh.shell;

import io.rdma4j.verbs.RdmaException;
import java.util.List;

/** A command that is not done; its message is what stands behind {@code ERR}. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> explanations;

    /** A command that was not understood, or names what is not there. */
    Refusal(String message) {
        this(message, List.of());
    }

    private Refusal(String message, List<String> explanations) {
        super(message, null, false, false);
        this.explanations = explanations;
    }

    /** A verb that the device refused: its C name and the words of the code; the device's own words explain. */
    static Refusal of(String verb, RdmaException reason) {
        return of(verb, reason, "");
    }

    static Refusal of(String verb, RdmaException reason, String where) {
        return new Refusal(verb + ": " + ErrorWords.of(reason.code()) + where, List.of(reason.getMessage()));
    }

    Answer answer() {
        return Answer.error(String.valueOf(getMessage())).explained(explanations);
    }
}
