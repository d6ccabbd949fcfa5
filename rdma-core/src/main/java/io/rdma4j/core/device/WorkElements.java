package io.rdma4j.core.device;

import io.rdma4j.core.queue.ScatterGatherList;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.ScatterGatherElement;
import java.util.List;

/** The scatter/gather elements of a request on their way into its slot. */
final class WorkElements {
    /** Lengths of scatter/gather elements are unsigned 32-bit values (ibv_sge). */
    private static final long MAX_ELEMENT_LENGTH = 0xFFFF_FFFFL;

    private WorkElements() {}

    /** Copies the elements of a request into its slot; by index, because an iterator would be an allocation. */
    static void fill(ScatterGatherList list, List<ScatterGatherElement> elements, String verb) {
        int count = elements.size();
        if (count > list.capacity()) {
            throw new RdmaException(
                    ErrorCode.EINVAL, verb + ": " + count + " scatter/gather elements, at most " + list.capacity());
        }
        list.clear();
        for (int i = 0; i < count; i++) {
            list.add(checked(verb, elements.get(i)));
        }
    }

    private static ScatterGatherElement checked(String verb, ScatterGatherElement element) {
        if (element == null) {
            throw new RdmaException(ErrorCode.EINVAL, verb + ": an element is null");
        }
        if (!isLength(element.length())) {
            throw new RdmaException(
                    ErrorCode.EINVAL, verb + ": " + element.length() + " is no 32-bit length of an element");
        }
        return element;
    }

    static boolean isLength(long bytes) {
        return bytes >= 0 && bytes <= MAX_ELEMENT_LENGTH;
    }

    /** ENOMEM of a queue without a free slot. */
    static RdmaException full(String verb, int capacity, Object queue) {
        return new RdmaException(
                ErrorCode.ENOMEM,
                verb + ": all " + capacity + " work requests of " + queue + " wait for a completion to be polled");
    }
}
