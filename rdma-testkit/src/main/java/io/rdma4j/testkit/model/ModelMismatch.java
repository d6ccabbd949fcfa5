package io.rdma4j.testkit.model;

/** The device did something else than the reference. */
public final class ModelMismatch extends AssertionError {
    private static final long serialVersionUID = 1L;

    ModelMismatch(String message) {
        super(message);
    }
}
