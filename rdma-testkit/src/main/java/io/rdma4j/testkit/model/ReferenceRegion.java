package io.rdma4j.testkit.model;

import io.rdma4j.verbs.AccessFlag;
import java.util.Set;

/**
 * What a program knows of a region it registered.
 *
 * @param address first address in it
 * @param offset where it begins in the node's memory
 * @param length bytes
 * @param rights what may be done with it
 * @param foreign whether it belongs to another protection domain than the queue pairs
 * @param localKey for own requests
 * @param remoteKey for the peer's
 */
record ReferenceRegion(
        long address, int offset, int length, Set<AccessFlag> rights, boolean foreign, int localKey, int remoteKey) {
    boolean holds(int from, int bytes) {
        return from >= offset && from + bytes <= offset + length;
    }

    long addressOf(int memoryOffset) {
        return address + (memoryOffset - offset);
    }

    /** The offset in the node's memory that an address stands for, or -1 where the range is not within the region. */
    int resolve(long from, int bytes) {
        long inside = from - address;
        return inside >= 0 && inside <= length - (long) bytes ? offset + (int) inside : -1;
    }
}
