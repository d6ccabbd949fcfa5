package io.rdma4j.testkit.check;

import io.rdma4j.core.wire.Opcode;

/**
 * A request packet as it was sent, its PSN counted from the start of the connection without wrapping.
 *
 * @param opcode what it was
 * @param first its position
 * @param last the last position it uses: of a READ, that of its last response
 * @param payload bytes of payload
 * @param length what a READ asks for, in bytes
 */
record SentRequest(Opcode opcode, long first, long last, int payload, long length) {
    boolean isRead() {
        return opcode == Opcode.RC_RDMA_READ_REQUEST;
    }

    boolean isAtomic() {
        return opcode == Opcode.RC_COMPARE_SWAP || opcode == Opcode.RC_FETCH_ADD;
    }
}
