package io.rdma4j.core.link;

import java.nio.ByteBuffer;

/** Hears of each fault when it is decided; what it is given is borrowed for the call only. Owner thread. */
@FunctionalInterface
public interface FaultListener {
    /** Hears nothing. */
    FaultListener NONE = (fault, buffer, offset, length, arrival) -> {};

    /**
     * Hears of one fault.
     *
     * @param buffer holds the frame as it was before the fault; absolute access
     * @param offset index of the BTH
     * @param length bytes from the BTH to the ICRC, both included
     * @param arrival what the link knows besides
     */
    void onFault(Fault fault, ByteBuffer buffer, int offset, int length, Arrival arrival);
}
