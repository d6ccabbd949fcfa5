package io.rdma4j.core.rc;

import io.rdma4j.core.qp.SendState;
import io.rdma4j.core.queue.SendWorkEntry;
import io.rdma4j.core.wire.Syndrome;
import io.rdma4j.verbs.WorkCompletionStatus;
import org.jspecify.annotations.Nullable;

/** What a fatal NAK means for the request it answers (§8.3). */
final class NakTable {
    private NakTable() {}

    /** The completion status of a fatal NAK; null for a code that has none. */
    static @Nullable WorkCompletionStatus statusOf(int syndrome) {
        return switch (syndrome) {
            case Syndrome.NAK_INVALID_REQUEST -> WorkCompletionStatus.REM_INV_REQ_ERR;
            case Syndrome.NAK_REMOTE_ACCESS -> WorkCompletionStatus.REM_ACCESS_ERR;
            case Syndrome.NAK_REMOTE_OPERATIONAL -> WorkCompletionStatus.REM_OP_ERR;
            case Syndrome.NAK_INVALID_RD_REQUEST -> WorkCompletionStatus.REM_INV_RD_REQ_ERR;
            default -> null;
        };
    }

    /** The NAK and the request it refused, in words. */
    static String describe(int syndrome, SendState send, SendWorkEntry entry) {
        String request = entry.kind.isOneSided()
                ? String.format(
                        "%s of %d bytes at 0x%x with rkey 0x%08x",
                        entry.kind, entry.length(), entry.remoteAddress, entry.remoteKey)
                : String.format("%s of %d bytes", entry.kind, entry.length());
        return String.format("%s at PSN 0x%06x: %s", Syndrome.describe(syndrome), send.una, request);
    }
}
