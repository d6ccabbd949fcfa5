package io.rdma4j.testkit.model;

import java.util.List;

/**
 * A receive as it was posted.
 *
 * @param id its work request ID
 * @param pieces where the message goes
 */
record PostedReceive(long id, List<Piece> pieces) {
    int capacity() {
        return pieces.stream().mapToInt(Piece::length).sum();
    }
}
