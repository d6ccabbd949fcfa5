package io.rdma4j.core.queue;

import io.rdma4j.verbs.WorkCompletion;
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
    private int sourcePort;
    public int vendorError;
    public String cause = "";

    /** Which of those below are set: bits of {@code ibv_wc_flags}. */
    private int flags;

    private int immediate;
    private int invalidatedKey;

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
        flags = 0;
        // An error reaches solicited-only consumers too (§10).
        solicited = newStatus != WorkCompletionStatus.SUCCESS;
    }

    /** The message carried immediate data, in host order. */
    public void immediate(int data) {
        immediate = data;
        flags |= WorkCompletion.FLAG_WITH_IMMEDIATE;
    }

    /** The message invalidated a key of this device. */
    public void invalidated(int key) {
        invalidatedKey = key;
        flags |= WorkCompletion.FLAG_WITH_INVALIDATE;
    }

    /** The message was a datagram, with the route that it came in front of it (§14). */
    public void datagram(int fromQueuePair, int fromPort) {
        sourceQueuePair = fromQueuePair;
        sourcePort = fromPort;
        flags |= WorkCompletion.FLAG_GRH;
    }

    /** Copies everything that the consumer sees. */
    void copyTo(WorkCompletion into) {
        into.reset(id, status, opcode, queuePair);
        into.lengths(byteLength);
        into.source(sourceQueuePair);
        into.error(vendorError, cause);
        if ((flags & WorkCompletion.FLAG_GRH) != 0) {
            into.addFlags(WorkCompletion.FLAG_GRH).sourcePort(sourcePort);
        }
        if ((flags & WorkCompletion.FLAG_WITH_IMMEDIATE) != 0) {
            into.immediate(immediate);
        }
        if ((flags & WorkCompletion.FLAG_WITH_INVALIDATE) != 0) {
            into.invalidated(invalidatedKey);
        }
    }

    /** Names the slots that come free when this entry is polled. */
    public void releases(WorkQueue queue, long position) {
        origin = queue;
        releaseTo = position;
    }
}
