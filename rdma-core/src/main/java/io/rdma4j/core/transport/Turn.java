package io.rdma4j.core.transport;

import io.rdma4j.core.qp.EngineLimits;
import io.rdma4j.core.wire.Bth;
import io.rdma4j.core.wire.Reth;
import io.rdma4j.core.wire.RocePacket;

/** How a queue pair's turn to send ended. */
public enum Turn {
    /** Nothing more to send until something happens. */
    IDLE,
    /** The turn is used up; there is more. */
    MORE,
    /** The link takes nothing more for now. */
    BLOCKED;

    /** The most that a frame of a long message has besides its payload. */
    private static final int HEADER_BYTES = Bth.LENGTH + Reth.LENGTH + RocePacket.ICRC_LENGTH;

    /** How many packets of a long message one turn may send: what fits one segmented send. */
    public static int packets(int mtu) {
        return Math.min(EngineLimits.SEND_TURN_PACKETS, EngineLimits.SEND_TURN_BYTES / (mtu + HEADER_BYTES));
    }
}
