package io.rdma4j.core.wire;

/**
 * Why a received packet was dropped without an answer (§7.1). Each is a counter of its own, so that "it does not arrive"
 * can be explained.
 */
public enum DropReason {
    // What the bytes alone tell.
    /** Shorter than BTH and ICRC, or than the headers of its opcode. */
    TOO_SHORT,
    /** A transport header version other than 0. */
    BAD_VERSION,
    /** An opcode that nobody has defined. Only a queue pair of the same transport may answer it (§2). */
    UNKNOWN_OPCODE,
    /** Payload and pad are not a multiple of 4 together, or the pad is longer than what follows the headers. */
    BAD_PAD,
    /** Payload where the opcode carries none. */
    LENGTH_MISMATCH,
    /** The ICRC is wrong: damaged on the way, or made for another IP header. */
    BAD_ICRC,

    // What needs a queue pair.
    /** No queue pair has that number; QP 0 is not used on RoCE. */
    UNKNOWN_QP,
    /** The opcode's transport is not the queue pair's. */
    WRONG_TRANSPORT,
    /** The queue pair's state does not take such packets. */
    WRONG_STATE,
    /** Not from the peer of a connected queue pair. */
    WRONG_SOURCE,
    /** The packet came to an address that is not the queue pair's. */
    WRONG_DESTINATION,
    /** No common partition, or limited members on both sides. */
    BAD_PKEY,
    /** The Q_Key is not that of the UD queue pair. */
    BAD_QKEY,

    // What needs the state of a connection.
    /** A request beyond the expected PSN after the NAK for the gap has been sent. */
    OUT_OF_SEQUENCE,
    /** A repeated request that needs no answer, or whose result is no longer remembered. */
    DUPLICATE_DROPPED,
    /** A response to nothing that is outstanding. */
    GHOST_RESPONSE,
    /** An AETH syndrome without a meaning. */
    RESERVED_SYNDROME,

    // What a reliable connection refuses with a NAK and the others, which have none, drop (§8.4).
    /** Part of a message whose beginning was lost, or dropped for another reason. */
    MESSAGE_BROKEN,
    /** The queue pair's access flags do not allow the operation. */
    NOT_ALLOWED,
    /** No receive is posted. */
    NO_RECEIVER,
    /** The payload is not as long as the opcode or the RETH says. */
    BAD_LENGTH,
    /** A message longer than its receive. */
    RECEIVE_TOO_SHORT,
    /** The remote key is wrong, or does not give the right to do it there. */
    BAD_REMOTE_KEY,

    /** A bounded table or queue of this device was full. */
    OVERLOADED
}
