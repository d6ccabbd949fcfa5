package io.rdma4j.core.device;

import io.rdma4j.core.queue.RequestKind;
import io.rdma4j.core.queue.SendQueue;
import io.rdma4j.core.queue.SendWorkEntry;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.SendRequest;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Requests in slots that are not in the queue yet, up to the first error. When they go, the slots change places with free
 * ones of the queue, so that nothing is copied.
 */
abstract class StagedRequests {
    private static final int FIRST_SLOTS = 4;

    final SendPosting posting;
    private final SendQueue queue;

    /** Takes what is built after an error. */
    private final SendWorkEntry ignored;

    private @Nullable SendWorkEntry[] slots = new SendWorkEntry[FIRST_SLOTS];

    /** Those that change what keys stand for, which others may see when they are posted and not before. */
    private @Nullable SendRequest[] keyChanges = new SendRequest[FIRST_SLOTS];

    private int size;
    private @Nullable RdmaException error;
    long nextId;
    boolean nextSignaled;
    boolean nextSolicited;
    boolean nextFenced;

    StagedRequests(SendPosting posting, SendQueue queue) {
        this.posting = posting;
        this.queue = queue;
        this.ignored = queue.newEntry();
    }

    /** Refuses threads that have no business here. */
    abstract void requireMine();

    final int staged() {
        return size;
    }

    final @Nullable RdmaException error() {
        return error;
    }

    /** Forgets everything. */
    final void clear() {
        size = 0;
        error = null;
        forgetFlags();
    }

    /** A copy of a request. */
    final void stage(SendRequest request) {
        if (hasRoom()) {
            SendWorkEntry entry = slot(size);
            try {
                posting.fill(entry, request);
                keyChanges[size] = entry.kind.isLocal() ? request : null;
                size++;
            } catch (RdmaException e) {
                error = of(size, e.code(), e.detail(), e);
            }
        }
    }

    /** The request that was begun last is refused. */
    final void fail(RdmaException reason) {
        error = of(size - 1, reason.code(), reason.detail(), reason);
    }

    /** Moves the first {@code count} requests into the queue, which has room for them. Queue's lock held. */
    final void moveTo(SendQueue target, int count) {
        long position = target.posted();
        for (int i = 0; i < count; i++) {
            slots[i] = target.exchange(position + i, slot(i));
            SendRequest change = keyChanges[i];
            if (change != null) {
                MemoryRequests.announce(change);
            }
        }
        target.publish(count);
    }

    final SendWorkEntry begin(RequestKind kind, long remoteAddress, int remoteKey) {
        SendWorkEntry entry = begin(kind);
        entry.remoteAddress = remoteAddress;
        entry.remoteKey = remoteKey;
        return entry;
    }

    /** The slot of a new request, with id and flags; one that does not count after an error. */
    final SendWorkEntry begin(RequestKind kind) {
        SendWorkEntry entry = ignored;
        if (hasRoom()) {
            entry = slot(size);
            keyChanges[size++] = null;
        }
        entry.begin(nextId, kind);
        entry.signaled = nextSignaled;
        entry.solicited = nextSolicited;
        entry.fenced = nextFenced;
        forgetFlags();
        return entry;
    }

    final void forgetFlags() {
        nextId = 0;
        nextSignaled = false;
        nextSolicited = false;
        nextFenced = false;
    }

    /** Whether one more request is to be built. */
    final boolean hasRoom() {
        requireMine();
        settle();
        if (error == null && size == queue.capacity()) {
            error = of(size, ErrorCode.ENOMEM, "the send queue holds " + size + " work requests", null);
        }
        return error == null;
    }

    /** The request that was begun last is complete; whether it is all there is seen now. */
    final void settle() {
        if (error == null && size > 0) {
            try {
                posting.checkDestination(slot(size - 1));
            } catch (RdmaException e) {
                fail(e);
            }
        }
    }

    private boolean isBuilding() {
        requireMine();
        return error == null;
    }

    final SendWorkEntry slot(int index) {
        if (index == slots.length) {
            int more = Math.min(queue.capacity(), 2 * slots.length);
            slots = Arrays.copyOf(slots, more);
            keyChanges = Arrays.copyOf(keyChanges, more);
        }
        SendWorkEntry entry = slots[index];
        if (entry == null) {
            entry = queue.newEntry();
            slots[index] = entry;
        }
        return entry;
    }

    /** The request that elements and the like are for; null after an error, and an error when none is begun. */
    final @Nullable SendWorkEntry begun() {
        if (!isBuilding()) {
            return null;
        }
        if (size == 0) {
            error = of(0, ErrorCode.EINVAL, "no request is begun; begin it with send() or the like", null);
            return null;
        }
        return slot(size - 1);
    }

    /** The request that so many more bytes of inline data go into; null where they do not. */
    final @Nullable SendWorkEntry inlineFor(int bytes) {
        SendWorkEntry entry = begun();
        if (entry == null) {
            return null;
        }
        if (!entry.kind.mayBeInline()) {
            fail(ErrorCode.EINVAL, entry.kind + " has no inline data");
        } else if (entry.elements().count() > 0) {
            fail(ErrorCode.EINVAL, "it has elements, so it has no inline data");
        } else if (bytes + entry.inlineLength() > (long) posting.maxInlineData()) {
            fail(
                    ErrorCode.EINVAL,
                    (bytes + entry.inlineLength()) + " bytes inline; max_inline_data is " + posting.maxInlineData());
        } else {
            return entry;
        }
        return null;
    }

    /** Keeps the first error, which is about the request that was begun last. */
    final void fail(ErrorCode code, String why) {
        if (error == null) {
            error = of(Math.max(0, size - 1), code, why, null);
        }
    }

    /** The error of a request that could not even be looked at, if it is the first. */
    final void refuse(ErrorCode code, String why, @Nullable Throwable cause) {
        if (error == null) {
            error = of(size, code, why, new RdmaException(code, why, cause));
        }
    }

    private static RdmaException of(int index, ErrorCode code, String why, @Nullable RdmaException cause) {
        return new RdmaException(code, "request " + index + " of the batch: " + why, cause);
    }
}
