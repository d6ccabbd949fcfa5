package io.rdma4j.core.rc;

import io.rdma4j.core.memory.AccessFault;
import io.rdma4j.core.memory.MemoryTable;
import io.rdma4j.core.memory.RegisteredMemory;
import io.rdma4j.core.queue.ScatterGatherList;
import java.nio.ByteBuffer;

/**
 * Moves bytes between packets and scatter/gather lists. Keys and ranges are checked first, for the bytes that are touched
 * and no others, so that a packet is placed or sent as a whole or not at all.
 */
final class Payload {
    private final MemoryTable memory;

    Payload(MemoryTable memory) {
        this.memory = memory;
    }

    /** Whether bytes {@code offset} to {@code offset + length} of the list may be accessed; the table knows why not. */
    boolean check(ScatterGatherList list, int protectionDomain, int right, long offset, int length) {
        long skip = offset;
        int left = length;
        for (int i = 0; i < list.count() && left > 0; i++) {
            if (skip >= list.length(i)) {
                skip -= list.length(i);
                continue;
            }
            int n = (int) Math.min(left, list.length(i) - skip);
            if (memory.resolve(list.key(i), protectionDomain, right, list.address(i) + skip, n) == null) {
                failedElement = i;
                failedAddress = list.address(i) + skip;
                failedLength = n;
                return false;
            }
            left -= n;
            skip = 0;
        }
        return true;
    }

    private int failedElement;
    private long failedAddress;
    private long failedLength;

    /** The last failed {@link #check} in words. */
    String describeFailure(ScatterGatherList list) {
        return "element " + failedElement + ": local "
                + memory.describeFailure(list.key(failedElement), failedAddress, failedLength);
    }

    /** Copies from the list into a packet; {@link #check} has passed. */
    void gather(ScatterGatherList list, int protectionDomain, long offset, ByteBuffer target, int index, int length)
            throws AccessFault {
        long skip = offset;
        int done = 0;
        for (int i = 0; done < length; i++) {
            if (skip >= list.length(i)) {
                skip -= list.length(i);
                continue;
            }
            int n = (int) Math.min(length - done, list.length(i) - skip);
            region(list, i, protectionDomain, skip, n).read(list.address(i) + skip, target, index + done, n);
            done += n;
            skip = 0;
        }
    }

    /** Copies from a packet into the list; {@link #check} has passed. */
    void scatter(ScatterGatherList list, int protectionDomain, long offset, ByteBuffer source, int index, int length)
            throws AccessFault {
        long skip = offset;
        int done = 0;
        for (int i = 0; done < length; i++) {
            if (skip >= list.length(i)) {
                skip -= list.length(i);
                continue;
            }
            int n = (int) Math.min(length - done, list.length(i) - skip);
            region(list, i, protectionDomain, skip, n).write(list.address(i) + skip, source, index + done, n);
            done += n;
            skip = 0;
        }
    }

    private RegisteredMemory region(ScatterGatherList list, int i, int protectionDomain, long skip, int n) {
        RegisteredMemory region = memory.resolve(list.key(i), protectionDomain, 0, list.address(i) + skip, n);
        if (region == null) {
            throw new IllegalStateException("unchecked scatter/gather element " + i);
        }
        return region;
    }
}
