package io.rdma4j.core.memory;

/**
 * A copy to or from registered memory failed although key and range were right: the memory behind a buffer went away
 * (an unmapped file, a closed arena). One instance without a stack trace serves all, so the data path allocates nothing.
 */
public final class AccessFault extends Exception {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("StaticAssignmentOfThrowable") // it has no stack trace that could mislead
    static final AccessFault INSTANCE = new AccessFault();

    private AccessFault() {
        super("registered memory is no longer accessible", null, false, false);
    }
}
