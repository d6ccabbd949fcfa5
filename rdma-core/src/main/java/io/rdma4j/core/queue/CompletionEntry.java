package io.rdma4j.core.queue;

import io.rdma4j.verbs.WorkCompletionOpcode;
import io.rdma4j.verbs.WorkCompletionStatus;
import org.jspecify.annotations.Nullable;

/** One slot of a completion ring. */
public final class CompletionEntry {
    public long id;
    public WorkCompletionStatus status = WorkCompletionStatus.SUCCESS;
    public WorkCompletionOpcode opcode = WorkCompletionOpcode.SEND;
    public long byteLength;
    public int queuePair;
    public int sourceQueuePair;
    public int vendorError;
    public String cause = "";

    /** Whether it satisfies a consumer that asked for solicited completions only (§10). */
    public boolean solicited;

    /** The work queue whose slots before {@link #releaseTo} come free when this entry is polled. */
    @Nullable
    WorkQueue origin;

    long releaseTo;

    /** Starts the entry: all optional fields are cleared. */
    public void begin(long newId, int queuePairNumber, WorkCompletionStatus newStatus, WorkCompletionOpcode newOpcode) {
        id = newId;
        queuePair = queuePairNumber;
        status = newStatus;
        opcode = newOpcode;
        byteLength = 0;
        sourceQueuePair = 0;
        vendorError = 0;
        cause = "";
        // An error reaches solicited-only consumers too (§10).
        solicited = newStatus != WorkCompletionStatus.SUCCESS;
    }

    /** Names the slots that come free when this entry is polled. */
    public void releases(WorkQueue queue, long position) {
        origin = queue;
        releaseTo = position;
    }
}
