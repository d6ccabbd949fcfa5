package io.rdma4j.verbs;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * A control call was refused. The message begins with the name of the {@linkplain #code() code}, as in
 * {@code EINVAL: timeout 32 is above 31}. The data path does not throw: it reports by {@link WorkCompletion} only.
 */
public class RdmaException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** What kind of refusal this is. */
    private final ErrorCode code;

    /** The message without the code, for messages that wrap this one. */
    private final String detail;

    /**
     * A refusal in words.
     *
     * @param code what kind of refusal
     * @param message what was refused and why, without the code's name
     */
    public RdmaException(ErrorCode code, String message) {
        this(code, message, null);
    }

    /**
     * A refusal in words that has a deeper cause.
     *
     * @param code what kind of refusal
     * @param message what was refused and why, without the code's name
     * @param cause the exception that led to it, or null
     */
    public RdmaException(ErrorCode code, String message, @Nullable Throwable cause) {
        super(code.name() + ": " + message, cause);
        this.code = code;
        this.detail = message;
    }

    /** {@return what kind of refusal this is} */
    public final ErrorCode code() {
        return code;
    }

    /** {@return the message without the name of the code, for messages that wrap this one} */
    public final String detail() {
        return detail;
    }
}
