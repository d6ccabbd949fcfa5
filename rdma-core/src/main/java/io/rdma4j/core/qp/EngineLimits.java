package io.rdma4j.core.qp;

import io.rdma4j.core.wire.Psn;

/** Every bound of the engine itself, in one place; docs/limits.md mirrors it. What programs are granted is in {@link DeviceLimit}. */
public final class EngineLimits {
    /** Returned by {@code nextDeadlineNs} when nothing is due. */
    public static final long NO_DEADLINE = Long.MAX_VALUE;

    /** Remote addresses that can be in use at once. */
    public static final int MAX_PEERS = 16_384;

    /** Undelivered asynchronous events kept; later ones are dropped and counted. */
    public static final int MAX_ASYNC_EVENTS = 1024;

    /** Bytes of one message (§6.1). */
    public static final long MAX_MESSAGE_BYTES = 1L << 31;

    /** PSNs a requester may have outstanding (§5). */
    public static final int MAX_OUTSTANDING_PSNS = Psn.HALF_SPACE;

    /** A longer READ goes out as several requests, so that its responses never exceed what a socket buffer holds. */
    public static final int MAX_READ_REQUEST_BYTES = 256 << 10;

    /** Bytes a queue pair sends before the next one has its turn: what fits one segmented send. */
    public static final int SEND_TURN_BYTES = 65_507;

    /** Packets of such a turn. */
    public static final int SEND_TURN_PACKETS = 64;

    /** Turns given in one {@code advance}, requests and responses each. */
    public static final int MAX_TURNS_PER_ADVANCE = 16;

    /** Expired deadlines handled in one {@code advance}. */
    public static final int MAX_EXPIRIES_PER_ADVANCE = 256;

    /** Packets in flight to a peer at first, and the most. */
    public static final int PEER_START_PACKETS = 256;

    public static final int PEER_MAX_PACKETS = 1024;

    /** Packets and bytes in flight to a peer below which losses do not push it. */
    public static final int PEER_MIN_PACKETS = 8;

    public static final int PEER_MIN_BYTES = 16 << 10;

    /** A peer's budget grows by one part in this many of its start for each round without loss. */
    public static final int PEER_GROWTH_PARTS = 256;

    /** Once a peer has lost something, a turn, and a READ, may take one part in this many of its budget. */
    public static final int PEER_TURN_PARTS = 16;

    /** But a READ of so many packets is one request, as long as the budget holds it. */
    public static final int PEER_READ_PACKETS = 4;

    /** While more is under way than a halved budget allows, one packet may go for so many that leave. */
    public static final int PEER_OVER_RATIO = 2;

    /** A loss among more packets than this in flight is followed by a restart: few packets first, then more and more. */
    public static final int RESTART_ABOVE_PACKETS = 8;

    /** Packets a restart begins with; as many again for each that is acknowledged. */
    public static final int RESTART_PACKETS = 1;

    /** A queue pair whose peer's budget alone bounds what it has in flight. */
    public static final int UNLIMITED_WINDOW = Integer.MAX_VALUE;

    /** Bytes a frame costs besides its payload, in a peer's budget: headers, and the kernel's book-keeping. */
    public static final int FRAME_OVERHEAD_BYTES = 256;

    private EngineLimits() {}
}
