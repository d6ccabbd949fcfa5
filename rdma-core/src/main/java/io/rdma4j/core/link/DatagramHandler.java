package io.rdma4j.core.link;

import java.nio.ByteBuffer;

/** Takes received datagrams: the engine itself, or a recorder in front of it. */
@FunctionalInterface
public interface DatagramHandler {
    /**
     * Takes one datagram; never throws on bad input.
     *
     * @param buffer borrowed for the call only; absolute access
     * @param offset index of the BTH
     * @param length bytes from the BTH to the ICRC, both included
     * @param arrival what the link knows besides; reused by the link after the call
     * @param nowNs the engine's time
     */
    void onDatagram(ByteBuffer buffer, int offset, int length, Arrival arrival, long nowNs);
}
