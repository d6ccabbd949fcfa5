package io.rdma4j.testkit.sweep;

/** A sweep found something wrong. */
public final class SweepFailure extends AssertionError {
    private static final long serialVersionUID = 1L;

    SweepFailure(String message) {
        super(message);
    }

    SweepFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
