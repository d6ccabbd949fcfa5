package io.rdma4j.tools.pingpong;

import io.rdma4j.tools.cli.ToolException;
import io.rdma4j.tools.text.InternetText;
import io.rdma4j.tools.text.Units;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.QueuePairAddress;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the two ends tell each other over TCP before they meet over RDMA.
 *
 * @param lid the InfiniBand address, 0 with RoCE
 * @param endpoint queue pair, first PSN and GID
 */
record PingpongAddress(int lid, QueuePairAddress endpoint) {
    /** Bytes of the message, its terminating zero included: {@code 0000:000000:000000:<32 hex digits>\0}. */
    static final int MESSAGE_LENGTH = 4 + 1 + 6 + 1 + 6 + 1 + 32 + 1;

    private static final Pattern MESSAGE =
            Pattern.compile("([0-9a-f]{4}):([0-9a-f]{6}):([0-9a-f]{6}):([0-9a-f]{32})", Pattern.CASE_INSENSITIVE);

    /** The message to send. */
    byte[] encode() {
        String text = Units.format(
                "%04x:%06x:%06x:%s\0",
                lid,
                endpoint.queuePairNumber(),
                endpoint.packetSequenceNumber(),
                endpoint.gid().toHex());
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Reads a received message; what does not have the form is refused with what came. */
    static PingpongAddress decode(byte[] message) {
        int length = message.length;
        if (length > 0 && message[length - 1] == 0) {
            length--;
        }
        String text = new String(message, 0, length, StandardCharsets.ISO_8859_1);
        Matcher matcher = MESSAGE.matcher(text);
        if (!matcher.matches()) {
            throw new ToolException(
                    "the peer's address is not lid:qpn:psn:gid but '" + text.replaceAll("[^ -~]", ".") + "'");
        }
        return new PingpongAddress(
                Integer.parseInt(matcher.group(1), 16),
                new QueuePairAddress(
                        Integer.parseInt(matcher.group(2), 16),
                        Integer.parseInt(matcher.group(3), 16),
                        Gid.parse(matcher.group(4))));
    }

    /** As the C tool prints it after {@code local address:} and {@code remote address:}. */
    String describe() {
        return Units.format(
                "LID 0x%04x, QPN 0x%06x, PSN 0x%06x, GID %s",
                lid, endpoint.queuePairNumber(), endpoint.packetSequenceNumber(), InternetText.of(endpoint.gid()));
    }
}
