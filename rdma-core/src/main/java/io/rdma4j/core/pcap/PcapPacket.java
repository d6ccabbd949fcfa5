package io.rdma4j.core.pcap;

import java.nio.ByteBuffer;

/**
 * One record of a capture.
 *
 * @param timestampNanos nanoseconds since 1970
 * @param originalLength bytes the packet had on the wire; more than {@code data} holds when the capture cut it
 * @param linkType what {@code data} begins with
 * @param data the bytes captured, from index 0 to the limit
 */
public record PcapPacket(long timestampNanos, int originalLength, LinkType linkType, ByteBuffer data) {
    /** Whether the capture did not keep all bytes. */
    public boolean isCut() {
        return data.limit() < originalLength;
    }
}
