package io.rdma4j.core.wire;

/** The AETH syndrome byte: the kind of answer in its top three bits, a value in the low five (§4.1). */
public final class Syndrome {
    /** NAK: a gap in the PSNs; the requester goes back to the NAK's PSN. */
    public static final int NAK_SEQUENCE_ERROR = 0x60;

    /** NAK: the request is malformed or not allowed on the queue pair. */
    public static final int NAK_INVALID_REQUEST = 0x61;

    /** NAK: the R_Key does not give access to that memory. */
    public static final int NAK_REMOTE_ACCESS = 0x62;

    /** NAK: the responder failed for a reason of its own. */
    public static final int NAK_REMOTE_OPERATIONAL = 0x63;

    /** NAK: of the obsolete reliable datagram service only. */
    public static final int NAK_INVALID_RD_REQUEST = 0x64;

    /** The ACK value that means "no flow control by credits" (§4.2). */
    public static final int UNLIMITED_CREDITS = 0x1F;

    private static final int VALUE_MASK = 0x1F;
    private static final int KIND_SHIFT = 5;
    private static final int ACK = 0;
    private static final int RNR_NAK = 1;
    private static final int NAK = 3;

    private Syndrome() {}

    /** An ACK with a credit code, 0 to 31 ({@link Credits}). */
    public static int ack(int creditCode) {
        return creditCode & VALUE_MASK;
    }

    /** A receiver-not-ready NAK with a timer code, 0 to 31 ({@link RnrTimer}). */
    public static int rnrNak(int timerCode) {
        return RNR_NAK << KIND_SHIFT | (timerCode & VALUE_MASK);
    }

    public static boolean isAck(int syndrome) {
        return kind(syndrome) == ACK;
    }

    public static boolean isRnrNak(int syndrome) {
        return kind(syndrome) == RNR_NAK;
    }

    /** Whether this is a NAK of a known or reserved code, receiver-not-ready apart. */
    public static boolean isNak(int syndrome) {
        return kind(syndrome) == NAK;
    }

    /** Whether no meaning is given to the byte: such answers are dropped and counted. */
    public static boolean isReserved(int syndrome) {
        return !isAck(syndrome) && !isRnrNak(syndrome) && !(isNak(syndrome) && syndrome <= NAK_INVALID_RD_REQUEST);
    }

    /** The low five bits: credit code, timer code or NAK code. */
    public static int value(int syndrome) {
        return syndrome & VALUE_MASK;
    }

    /** The syndrome in words, for logs and decoders. */
    public static String describe(int syndrome) {
        int value = value(syndrome);
        if (isReserved(syndrome)) {
            return "reserved";
        }
        return switch (kind(syndrome)) {
            case ACK -> "ACK credit=" + value;
            case RNR_NAK -> "RNR_NAK timer=" + value + "(" + RnrTimer.describe(value) + ")";
            default -> "NAK " + nakName(syndrome);
        };
    }

    private static String nakName(int syndrome) {
        return switch (syndrome) {
            case NAK_SEQUENCE_ERROR -> "PSN_SEQ_ERR";
            case NAK_INVALID_REQUEST -> "INVALID_REQ";
            case NAK_REMOTE_ACCESS -> "REM_ACCESS_ERR";
            case NAK_REMOTE_OPERATIONAL -> "REM_OP_ERR";
            default -> "INVALID_RD_REQ";
        };
    }

    private static int kind(int syndrome) {
        return (syndrome & 0xFF) >>> KIND_SHIFT;
    }
}
