package io.rdma4j.core.wire;

/** What a packet asks for or answers, whatever its transport and its place in a message (§2). */
public enum Operation {
    SEND(true),
    RDMA_WRITE(true),
    READ_REQUEST(true),
    READ_RESPONSE(false),
    ACKNOWLEDGE(false),
    ATOMIC_ACKNOWLEDGE(false),
    COMPARE_SWAP(true),
    FETCH_ADD(true),
    FLUSH(true),
    ATOMIC_WRITE(true),
    /** Neither a request nor a response. */
    CNP(false);

    private final boolean request;

    Operation(boolean request) {
        this.request = request;
    }

    /** Whether such packets go from requester to responder. */
    public boolean isRequest() {
        return request;
    }

    /** Whether such packets go from responder to requester. */
    public boolean isResponse() {
        return !request && this != CNP;
    }

    /** Whether this is an atomic of 64 bits that returns the value it found. */
    public boolean isAtomic() {
        return this == COMPARE_SWAP || this == FETCH_ADD;
    }
}
