package io.rdma4j.core.device;

import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.RdmaException;
import java.util.function.Supplier;

/** Room for queues, on the caller's thread. A device may grant more than this JVM's heap holds: that is ENOMEM too. */
final class Heap {
    private Heap() {}

    static <T> T allocate(String verb, Supplier<T> allocation) {
        try {
            return allocation.get();
        } catch (OutOfMemoryError e) {
            throw new RdmaException(
                    ErrorCode.ENOMEM, verb + ": the JVM's heap has no room for it: " + e.getMessage(), e);
        }
    }
}
