package io.rdma4j.tools.cli;

/** A failure whose message is written for the user of the command and says all there is to say. */
public final class ToolException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A failure with words. */
    public ToolException(String message) {
        super(message);
    }

    /** A failure with words and what led to it. */
    public ToolException(String message, Throwable cause) {
        super(message, cause);
    }
}
