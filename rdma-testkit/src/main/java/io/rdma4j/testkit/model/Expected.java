package io.rdma4j.testkit.model;

import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionOpcode;
import io.rdma4j.verbs.WorkCompletionStatus;
import org.jspecify.annotations.Nullable;

/**
 * A completion that must come.
 *
 * @param id its work request ID
 * @param status how it ended
 * @param opcode what it reports; null on an error, where the specification leaves it open (§6.2)
 * @param byteLength bytes it reports, or {@link #ANY_LENGTH}
 */
record Expected(
        long id, WorkCompletionStatus status, @Nullable WorkCompletionOpcode opcode, long byteLength) {
    static final long ANY_LENGTH = -1;

    static Expected error(long id, WorkCompletionStatus status) {
        return new Expected(id, status, null, ANY_LENGTH);
    }

    static Expected flush(long id) {
        return error(id, WorkCompletionStatus.WR_FLUSH_ERR);
    }

    boolean matches(WorkCompletion actual) {
        return actual.workRequestId() == id
                && actual.status() == status
                && (opcode == null || actual.opcode() == opcode)
                && (byteLength == ANY_LENGTH || actual.byteLength() == byteLength);
    }
}
