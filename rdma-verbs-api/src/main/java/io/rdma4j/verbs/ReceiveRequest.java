package io.rdma4j.verbs;

import io.rdma4j.verbs.spi.Arguments;
import java.util.List;

/**
 * Where to put one message ({@code ibv_recv_wr}). Immutable; the same instance can be posted for ever.
 *
 * @param workRequestId comes back in the completion ({@code wr_id})
 * @param elements memory to fill, in order; may be empty for messages without data ({@code sg_list})
 */
public record ReceiveRequest(long workRequestId, List<ScatterGatherElement> elements) {
    /**
     * A receive request.
     *
     * @param workRequestId comes back in the completion
     * @param elements memory to fill, in order; the list is copied
     */
    public ReceiveRequest {
        elements = List.copyOf(Arguments.all(elements, "elements"));
    }

    /**
     * A receive request.
     *
     * @param workRequestId comes back in the completion
     * @param elements memory to fill, in order
     * @return the request
     */
    public static ReceiveRequest of(long workRequestId, ScatterGatherElement... elements) {
        return new ReceiveRequest(workRequestId, List.of(Arguments.all(elements, "elements")));
    }

    /** {@return how many elements it has} */
    public int elementCount() {
        return elements.size();
    }

    /**
     * One element, without an iterator.
     *
     * @param index its place, from 0
     * @return the element
     */
    public ScatterGatherElement element(int index) {
        return elements.get(index);
    }
}
