package io.rdma4j.core.transport;

import io.rdma4j.core.memory.MemoryTable;
import io.rdma4j.core.memory.RegisteredMemory;
import io.rdma4j.core.memory.WindowBind;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.queue.RequestKind;
import io.rdma4j.core.queue.SendWorkEntry;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Requests that no packet carries: binds, invalidations and fast registrations take effect on this side, once, in the order
 * of the send queue (§6.1(5), §11).
 */
public final class LocalRequests {
    private final MemoryTable memory;
    private final WindowBind bind = new WindowBind();

    public LocalRequests(MemoryTable memory) {
        this.memory = memory;
    }

    /**
     * Whether the request at the cursor may take effect now: an invalidation waits for all before it, another for prior
     * READs and atomics if it is fenced (§6.1(5)).
     */
    public static boolean mayExecute(QpContext qp, SendWorkEntry entry) {
        if (entry.kind == RequestKind.LOCAL_INVALIDATE) {
            return qp.send.head == qp.send.cursor;
        }
        return !entry.fenced || qp.send.readWorkRequests == 0;
    }

    /**
     * Executes the request.
     *
     * @return null when done; else why not, in words, and nothing has changed
     */
    public @Nullable String execute(QpContext qp, SendWorkEntry entry) {
        String refusal = switch (entry.kind) {
            case BIND_WINDOW -> bind(qp, entry);
            case FAST_REGISTER -> {
                RegisteredMemory region = Objects.requireNonNull(entry.region);
                yield memory.fastRegister(region, entry.mapping, entry.access, entry.remoteKey, qp);
            }
            case LOCAL_INVALIDATE ->
                memory.invalidate(entry.invalidateKey, qp)
                        ? null
                        : String.format(
                                "key 0x%08x %s",
                                entry.invalidateKey, memory.failure().words());
            default -> throw new IllegalArgumentException(entry.kind + " needs packets");
        };
        entry.executed = refusal == null;
        return refusal;
    }

    private @Nullable String bind(QpContext qp, SendWorkEntry entry) {
        bind.region = entry.region;
        bind.address = entry.remoteAddress;
        bind.length = entry.bindLength;
        bind.access = entry.access;
        bind.key = entry.remoteKey;
        return memory.bind(Objects.requireNonNull(entry.window), bind, qp);
    }

    /** What a request that was refused completes with (§8.2). */
    public WorkCompletionStatus failureOf(SendWorkEntry entry) {
        boolean aboutWindow = entry.kind == RequestKind.BIND_WINDOW
                || (entry.kind == RequestKind.LOCAL_INVALIDATE && memory.isWindow(entry.invalidateKey));
        return aboutWindow ? WorkCompletionStatus.MW_BIND_ERR : WorkCompletionStatus.LOC_QP_OP_ERR;
    }
}
