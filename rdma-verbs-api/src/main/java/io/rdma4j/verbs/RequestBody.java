package io.rdma4j.verbs;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What all send requests have: id, local memory and flags. */
abstract class RequestBody {
    static final int SIGNALED = 1;
    static final int SOLICITED = 2;
    static final int FENCED = 4;

    final long workRequestId;
    final LocalData data;
    final int flags;

    RequestBody(long workRequestId, LocalData data, int flags) {
        this.workRequestId = workRequestId;
        this.data = data;
        this.flags = flags;
    }

    /** {@return comes back in the completion ({@code wr_id})} */
    public final long workRequestId() {
        return workRequestId;
    }

    /** {@return local memory, in order; unmodifiable; none if the request is inline ({@code sg_list})} */
    public final List<ScatterGatherElement> elements() {
        return data.elements;
    }

    /** {@return how many elements it has ({@code num_sge})} */
    public final int elementCount() {
        return data.elements.size();
    }

    /**
     * One element, without an iterator.
     *
     * @param index its place, from 0
     * @return the element
     */
    public final ScatterGatherElement element(int index) {
        return data.elements.get(index);
    }

    /** {@return whether it carries its bytes instead of elements ({@code IBV_SEND_INLINE})} */
    public final boolean isInline() {
        return data.isInline();
    }

    /** {@return how many bytes it carries itself, 0 if it does not} */
    public final long inlineLength() {
        return data.inlineLength();
    }

    /**
     * Copies the bytes it carries, as they are now.
     *
     * @param target where to put them; its position and limit do not matter and stay
     * @param index where they begin there
     */
    public final void copyInline(ByteBuffer target, int index) {
        data.copyInline(target, index);
    }

    /** {@return whether success is told by a completion too, not only failure ({@code IBV_SEND_SIGNALED})} */
    public final boolean isSignaled() {
        return (flags & SIGNALED) != 0;
    }

    /** {@return whether the peer's completion raises a solicited event ({@code IBV_SEND_SOLICITED})} */
    public final boolean isSolicited() {
        return (flags & SOLICITED) != 0;
    }

    /** {@return whether it waits for all earlier READs and atomics ({@code IBV_SEND_FENCE})} */
    public final boolean isFenced() {
        return (flags & FENCED) != 0;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RequestBody that
                && getClass() == that.getClass()
                && workRequestId == that.workRequestId
                && flags == that.flags
                && data.equals(that.data);
    }

    @Override
    public int hashCode() {
        return (Long.hashCode(workRequestId) * 31 + flags) * 31 + data.hashCode();
    }

    /** Text of operation, id, elements and flags. */
    final String text(WorkRequestOpcode opcode, String operands) {
        return opcode + " wr_id " + workRequestId + " " + data + operands
                + (isSignaled() ? " signaled" : "")
                + (isSolicited() ? " solicited" : "")
                + (isFenced() ? " fenced" : "");
    }
}
