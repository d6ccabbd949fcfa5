package io.rdma4j.core.queue;

import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.Transport;
import io.rdma4j.verbs.WorkCompletionOpcode;
import io.rdma4j.verbs.WorkRequestOpcode;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The operations of a send queue, each with its opcode by position in the message (§2) and what follows from it. */
public enum RequestKind {
    SEND(
            WorkRequestOpcode.SEND,
            WorkCompletionOpcode.SEND,
            Opcode.RC_SEND_FIRST,
            Opcode.RC_SEND_MIDDLE,
            Opcode.RC_SEND_LAST,
            Opcode.RC_SEND_ONLY),
    SEND_WITH_IMMEDIATE(
            WorkRequestOpcode.SEND_WITH_IMM,
            WorkCompletionOpcode.SEND,
            Opcode.RC_SEND_FIRST,
            Opcode.RC_SEND_MIDDLE,
            Opcode.RC_SEND_LAST_WITH_IMMEDIATE,
            Opcode.RC_SEND_ONLY_WITH_IMMEDIATE),
    SEND_WITH_INVALIDATE(
            WorkRequestOpcode.SEND_WITH_INV,
            WorkCompletionOpcode.SEND,
            Opcode.RC_SEND_FIRST,
            Opcode.RC_SEND_MIDDLE,
            Opcode.RC_SEND_LAST_WITH_INVALIDATE,
            Opcode.RC_SEND_ONLY_WITH_INVALIDATE),
    RDMA_WRITE(
            WorkRequestOpcode.RDMA_WRITE,
            WorkCompletionOpcode.RDMA_WRITE,
            Opcode.RC_RDMA_WRITE_FIRST,
            Opcode.RC_RDMA_WRITE_MIDDLE,
            Opcode.RC_RDMA_WRITE_LAST,
            Opcode.RC_RDMA_WRITE_ONLY),
    RDMA_WRITE_WITH_IMMEDIATE(
            WorkRequestOpcode.RDMA_WRITE_WITH_IMM,
            WorkCompletionOpcode.RDMA_WRITE,
            Opcode.RC_RDMA_WRITE_FIRST,
            Opcode.RC_RDMA_WRITE_MIDDLE,
            Opcode.RC_RDMA_WRITE_LAST_WITH_IMMEDIATE,
            Opcode.RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE),
    RDMA_READ(WorkRequestOpcode.RDMA_READ, WorkCompletionOpcode.RDMA_READ, Opcode.RC_RDMA_READ_REQUEST),
    COMPARE_SWAP(WorkRequestOpcode.ATOMIC_CMP_AND_SWP, WorkCompletionOpcode.COMP_SWAP, Opcode.RC_COMPARE_SWAP),
    FETCH_ADD(WorkRequestOpcode.ATOMIC_FETCH_AND_ADD, WorkCompletionOpcode.FETCH_ADD, Opcode.RC_FETCH_ADD),
    BIND_WINDOW(WorkRequestOpcode.BIND_MW, WorkCompletionOpcode.BIND_MW),
    LOCAL_INVALIDATE(WorkRequestOpcode.LOCAL_INV, WorkCompletionOpcode.LOCAL_INV),
    FAST_REGISTER(WorkRequestOpcode.REG_MR, WorkCompletionOpcode.REG_MR);

    private static final Map<WorkRequestOpcode, RequestKind> BY_REQUEST = new EnumMap<>(WorkRequestOpcode.class);

    static {
        for (RequestKind kind : values()) {
            BY_REQUEST.put(kind.request, kind);
        }
    }

    private final WorkRequestOpcode request;
    private final WorkCompletionOpcode completion;
    private final Opcode first;
    private final Opcode middle;
    private final Opcode last;
    private final Opcode only;
    private final boolean local;

    /** A kind that no packet carries; the opcodes are never asked for. */
    RequestKind(WorkRequestOpcode request, WorkCompletionOpcode completion) {
        this.request = request;
        this.completion = completion;
        this.first = Opcode.RC_SEND_ONLY;
        this.middle = first;
        this.last = first;
        this.only = first;
        this.local = true;
    }

    RequestKind(WorkRequestOpcode request, WorkCompletionOpcode completion, Opcode single) {
        this(request, completion, single, single, single, single);
    }

    RequestKind(
            WorkRequestOpcode request,
            WorkCompletionOpcode completion,
            Opcode first,
            Opcode middle,
            Opcode last,
            Opcode only) {
        this.request = request;
        this.completion = completion;
        this.first = first;
        this.middle = middle;
        this.last = last;
        this.only = only;
        this.local = false;
    }

    /** The kind of a posted request, or null where the device does not offer it. */
    public static @Nullable RequestKind of(WorkRequestOpcode request) {
        return BY_REQUEST.get(request);
    }

    public WorkCompletionOpcode completionOpcode() {
        return completion;
    }

    /** The opcode of a packet at such a place in its message; null where the transport, or a local kind, has none. */
    public @Nullable Opcode opcode(Transport transport, boolean isFirst, boolean isLast) {
        if (local) {
            return null;
        }
        Opcode reliable = isFirst ? (isLast ? only : first) : isLast ? last : middle;
        return reliable.in(transport);
    }

    /** Whether a transport has packets for this operation (§2); what is {@link #isLocal} needs none. */
    public boolean isOfferedBy(Transport transport) {
        return opcode(transport, true, true) != null;
    }

    /** Whether this side executes it itself, without a packet, in the order of the send queue (§6.1(5), §11). */
    public boolean isLocal() {
        return local;
    }

    /** Whether a response with data completes it: READ and atomics, which an ACK alone does not (§5). */
    public boolean awaitsResponse() {
        return this == RDMA_READ || isAtomic();
    }

    /** Whether it may bring its bytes along: what it sends, not where it puts what it fetches (§6.1(9)). */
    public boolean mayBeInline() {
        return !awaitsResponse() && !local;
    }

    /** Whether it names remote memory by address and key. */
    public boolean isOneSided() {
        return only.hasReth() || only.hasAtomicEth();
    }

    public boolean isAtomic() {
        return this == COMPARE_SWAP || this == FETCH_ADD;
    }
}
