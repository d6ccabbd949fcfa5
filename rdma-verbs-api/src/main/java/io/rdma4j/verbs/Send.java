package io.rdma4j.verbs;

import java.util.List;

/** Sends local memory to a receive of the peer ({@code IBV_WR_SEND}). Immutable. */
public final class Send extends RequestBody implements SendRequest {
    private Send(long workRequestId, List<ScatterGatherElement> elements, int flags) {
        super(workRequestId, elements, flags);
    }

    /**
     * A send.
     *
     * @param workRequestId comes back in the completion
     * @param elements memory to send, in order; none for an empty message
     * @return the request
     */
    public static Send of(long workRequestId, ScatterGatherElement... elements) {
        return new Send(workRequestId, List.of(elements), 0);
    }

    /** {@return the same with a completion on success} */
    public Send signaled() {
        return new Send(workRequestId, elements, flags | SIGNALED);
    }

    /** {@return the same with a solicited event at the peer} */
    public Send solicited() {
        return new Send(workRequestId, elements, flags | SOLICITED);
    }

    /** {@return the same, waiting for all earlier READs and atomics} */
    public Send fenced() {
        return new Send(workRequestId, elements, flags | FENCED);
    }

    @Override
    public WorkRequestOpcode opcode() {
        return WorkRequestOpcode.SEND;
    }

    @Override
    public String toString() {
        return text(opcode(), "");
    }
}
