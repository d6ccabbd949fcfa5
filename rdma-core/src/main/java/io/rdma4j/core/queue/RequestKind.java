package io.rdma4j.core.queue;

import io.rdma4j.core.wire.Opcode;
import io.rdma4j.verbs.WorkCompletionOpcode;

/** The operations of a send queue, each with its opcode by position in the message (§2) and what follows from it. */
public enum RequestKind {
    SEND(
            WorkCompletionOpcode.SEND,
            Opcode.RC_SEND_FIRST,
            Opcode.RC_SEND_MIDDLE,
            Opcode.RC_SEND_LAST,
            Opcode.RC_SEND_ONLY),
    RDMA_WRITE(
            WorkCompletionOpcode.RDMA_WRITE,
            Opcode.RC_RDMA_WRITE_FIRST,
            Opcode.RC_RDMA_WRITE_MIDDLE,
            Opcode.RC_RDMA_WRITE_LAST,
            Opcode.RC_RDMA_WRITE_ONLY),
    RDMA_READ(WorkCompletionOpcode.RDMA_READ, Opcode.RC_RDMA_READ_REQUEST),
    COMPARE_SWAP(WorkCompletionOpcode.COMP_SWAP, Opcode.RC_COMPARE_SWAP),
    FETCH_ADD(WorkCompletionOpcode.FETCH_ADD, Opcode.RC_FETCH_ADD);

    private final WorkCompletionOpcode completion;
    private final Opcode first;
    private final Opcode middle;
    private final Opcode last;
    private final Opcode only;

    RequestKind(WorkCompletionOpcode completion, Opcode single) {
        this(completion, single, single, single, single);
    }

    RequestKind(WorkCompletionOpcode completion, Opcode first, Opcode middle, Opcode last, Opcode only) {
        this.completion = completion;
        this.first = first;
        this.middle = middle;
        this.last = last;
        this.only = only;
    }

    public WorkCompletionOpcode completionOpcode() {
        return completion;
    }

    public Opcode opcode(boolean isFirst, boolean isLast) {
        if (isFirst) {
            return isLast ? only : first;
        }
        return isLast ? last : middle;
    }

    /** Whether a response with data completes it: READ and atomics, which an ACK alone does not (§5). */
    public boolean awaitsResponse() {
        return this == RDMA_READ || isAtomic();
    }

    /** Whether it names remote memory by address and key. */
    public boolean isOneSided() {
        return this != SEND;
    }

    public boolean isAtomic() {
        return this == COMPARE_SWAP || this == FETCH_ADD;
    }
}
