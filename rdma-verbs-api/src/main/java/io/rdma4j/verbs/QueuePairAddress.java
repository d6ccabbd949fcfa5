package io.rdma4j.verbs;

import io.rdma4j.verbs.spi.Arguments;

/**
 * What a peer must know to connect to a queue pair: exchanged by whatever means the program has, such as a TCP
 * connection. Immutable.
 *
 * <pre>{@code
 * out.println(qp.localAddress());
 * qp.connect(QueuePairAddress.parse(in.readLine()));
 * }</pre>
 *
 * @param queuePairNumber 24 bits
 * @param packetSequenceNumber the first PSN the queue pair sends, 24 bits
 * @param gid the device's GID
 */
public record QueuePairAddress(int queuePairNumber, int packetSequenceNumber, Gid gid) {
    private static final int MAX_24_BIT = 0xFFFFFF;

    /**
     * An address.
     *
     * @param queuePairNumber 24 bits
     * @param packetSequenceNumber 24 bits
     * @param gid the device's GID
     * @throws RdmaException EINVAL if a number does not fit 24 bits
     */
    public QueuePairAddress {
        Arguments.required(gid, "gid");
        check("queue pair number", queuePairNumber);
        check("packet sequence number", packetSequenceNumber);
    }

    /**
     * Reads what {@link #toString} wrote, or what the pingpong programs of rdma-core exchange.
     *
     * @param text {@code lid:qpn:psn:gid} in hexadecimal; the LID is ignored, since RoCE has none
     * @return the address
     * @throws RdmaException EINVAL if it is not of that form
     */
    public static QueuePairAddress parse(String text) {
        Arguments.required(text, "text");
        String[] fields = text.split(":", 4);
        try {
            if (fields.length == 4) {
                Integer.parseUnsignedInt(fields[0], 16);
                return new QueuePairAddress(
                        Integer.parseUnsignedInt(fields[1], 16),
                        Integer.parseUnsignedInt(fields[2], 16),
                        Gid.parse(fields[3]));
            }
        } catch (NumberFormatException e) {
            throw new RdmaException(ErrorCode.EINVAL, notAnAddress(text), e);
        }
        throw new RdmaException(ErrorCode.EINVAL, notAnAddress(text));
    }

    /** {@return {@code lid:qpn:psn:gid} in hexadecimal with 4, 6, 6 and 32 digits; the LID is 0} */
    @Override
    public String toString() {
        return String.format("0000:%06x:%06x:%s", queuePairNumber, packetSequenceNumber, gid.toHex());
    }

    private static String notAnAddress(String text) {
        return "\"" + text + "\" is no queue pair address: expected lid:qpn:psn:gid in hexadecimal";
    }

    private static void check(String field, int value) {
        if (value < 0 || value > MAX_24_BIT) {
            throw new RdmaException(
                    ErrorCode.EINVAL, field + " 0x" + Integer.toHexString(value) + " does not fit 24 bits");
        }
    }
}
