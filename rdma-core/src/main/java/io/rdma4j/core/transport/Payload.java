package io.rdma4j.core.transport;

import io.rdma4j.core.memory.AccessFault;
import io.rdma4j.core.memory.MemoryTable;
import io.rdma4j.core.memory.RegisteredMemory;
import io.rdma4j.core.queue.ScatterGatherList;
import io.rdma4j.core.queue.SendWorkEntry;
import java.nio.ByteBuffer;

/**
 * Moves bytes between packets and scatter/gather lists. Keys and ranges are checked first, for the bytes that are touched
 * and no others, so that a packet is placed or sent as a whole or not at all.
 */
public final class Payload {
    private final MemoryTable memory;
    private final Pieces pieces = new Pieces();

    public Payload(MemoryTable memory) {
        this.memory = memory;
    }

    /** Whether bytes {@code offset} to {@code offset + length} of the list may be accessed; the table knows why not. */
    public boolean check(ScatterGatherList list, int protectionDomain, int right, long offset, int length) {
        pieces.over(list, offset, length);
        while (pieces.advance()) {
            if (memory.resolve(pieces.key(), protectionDomain, right, pieces.address(), pieces.length()) == null) {
                return false;
            }
        }
        return true;
    }

    /** Whether those bytes of a request may be sent; for inline data there is no key to look at (§6.1(9)). */
    public boolean checkSource(SendWorkEntry entry, int protectionDomain, long offset, int length) {
        return entry.isInline() || check(entry.elements(), protectionDomain, 0, offset, length);
    }

    /** The {@link #check} that has just failed, in words. */
    public String describeFailure() {
        return "element " + pieces.element() + ": local "
                + memory.describeFailure(pieces.key(), pieces.address(), pieces.length());
    }

    /** Copies bytes of a request into a packet; {@link #checkSource} has passed. */
    public void gather(SendWorkEntry entry, int protectionDomain, long offset, ByteBuffer target, int index, int length)
            throws AccessFault {
        if (entry.isInline()) {
            entry.copyInline((int) offset, target, index, length);
            return;
        }
        pieces.over(entry.elements(), offset, length);
        for (int at = index; pieces.advance(); at += pieces.length()) {
            region(protectionDomain).read(pieces.address(), target, at, pieces.length());
        }
    }

    /** Copies from a packet into the list; {@link #check} has passed. */
    public void scatter(
            ScatterGatherList list, int protectionDomain, long offset, ByteBuffer source, int index, int length)
            throws AccessFault {
        pieces.over(list, offset, length);
        for (int at = index; pieces.advance(); at += pieces.length()) {
            region(protectionDomain).write(pieces.address(), source, at, pieces.length());
        }
    }

    private RegisteredMemory region(int protectionDomain) {
        RegisteredMemory region = memory.resolve(pieces.key(), protectionDomain, 0, pieces.address(), pieces.length());
        if (region == null) {
            throw new IllegalStateException("unchecked scatter/gather element " + pieces.element());
        }
        return region;
    }
}
