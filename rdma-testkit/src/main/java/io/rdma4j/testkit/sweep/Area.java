package io.rdma4j.testkit.sweep;

import java.util.List;

/**
 * A range of a node's memory.
 *
 * @param offset bytes from the start of the node's memory
 * @param length bytes, may be 0
 */
record Area(int offset, int length) {
    int end() {
        return offset + length;
    }

    static int length(List<Area> pieces) {
        return pieces.stream().mapToInt(Area::length).sum();
    }
}
