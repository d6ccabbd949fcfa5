package io.rdma4j.core.rc;

/** How a queue pair's turn to send ended. */
public enum Turn {
    /** Nothing more to send until something happens. */
    IDLE,
    /** The turn is used up; there is more. */
    MORE,
    /** The link takes nothing more for now. */
    BLOCKED
}
