package io.rdma4j.core.qp;

import java.util.Locale;

/** What the engine counts besides dropped packets; names follow the hardware counters of Linux devices where one fits. */
public enum Counter {
    SENT_PACKETS,
    RECEIVED_PACKETS,
    RETRANSMITTED_PACKETS,
    DUPLICATE_REQUEST,
    OUT_OF_SEQUENCE,
    PACKET_SEQUENCE_ERROR,
    IMPLIED_NAK_SEQUENCE_ERROR,
    LOCAL_ACK_TIMEOUT_ERROR,
    RETRY_EXCEEDED_ERROR,
    RNR_NAK_SENT,
    RNR_NAK_RECEIVED,
    RNR_RETRY_EXCEEDED_ERROR,
    REMOTE_ACCESS_ERROR_SENT,
    INVALID_REQUEST_SENT,
    REMOTE_OPERATIONAL_ERROR_SENT,
    COMPLETION_QUEUE_OVERRUN,
    ASYNC_EVENT_DROPPED;

    /** The name in reports, lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
