package io.rdma4j.testkit.model;

import java.util.ArrayDeque;
import java.util.Deque;

/** One end of a connection in the reference: whether it works, and the receives it has. */
final class ReferenceQueuePair {
    private final Deque<PostedReceive> receives = new ArrayDeque<>();
    private boolean inError;

    boolean isInError() {
        return inError;
    }

    void fail() {
        inError = true;
    }

    /** A new connection: what was posted is gone without a completion (§8.5(4)). */
    void reset() {
        inError = false;
        receives.clear();
    }

    Deque<PostedReceive> receives() {
        return receives;
    }
}
