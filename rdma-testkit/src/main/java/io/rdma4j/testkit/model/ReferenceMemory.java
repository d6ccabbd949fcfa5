package io.rdma4j.testkit.model;

import io.rdma4j.verbs.AccessFlag;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node's memory as a plain array, and its regions. */
final class ReferenceMemory {
    static final int DENIED = -1;

    private final byte[] bytes;
    private final BitSet unknown = new BitSet();
    private final List<ReferenceRegion> regions = new ArrayList<>();

    ReferenceMemory(byte[] initial) {
        bytes = initial.clone();
    }

    List<ReferenceRegion> regions() {
        return regions;
    }

    /** Where a local request's piece lies, or {@link #DENIED}; reading needs no right. */
    int local(int key, long address, int length, boolean write) {
        for (ReferenceRegion region : regions) {
            if (region.localKey() == key) {
                boolean allowed =
                        !region.foreign() && (!write || region.rights().contains(AccessFlag.LOCAL_WRITE));
                return allowed ? region.resolve(address, length) : DENIED;
            }
        }
        return DENIED;
    }

    /** Where a peer's access lies, or {@link #DENIED}. */
    int remote(int key, long address, int length, AccessFlag right) {
        for (ReferenceRegion region : regions) {
            if (region.remoteKey() == key) {
                boolean allowed = !region.foreign() && region.rights().contains(right);
                return allowed ? region.resolve(address, length) : DENIED;
            }
        }
        return DENIED;
    }

    boolean isKeyInUse(int key) {
        return regions.stream().anyMatch(region -> region.localKey() == key || region.remoteKey() == key);
    }

    byte[] read(int offset, int length) {
        return Arrays.copyOfRange(bytes, offset, offset + length);
    }

    void write(int offset, byte[] content, int from, int length) {
        System.arraycopy(content, from, bytes, offset, length);
        unknown.clear(offset, offset + length);
    }

    /** 8 bytes, little-endian (§3). */
    long word(int offset) {
        long value = 0;
        for (int i = 7; i >= 0; i--) {
            value = value << 8 | (bytes[offset + i] & 0xFF);
        }
        return value;
    }

    static byte[] littleEndian(long value) {
        byte[] word = new byte[Long.BYTES];
        for (int i = 0; i < word.length; i++) {
            word[i] = (byte) (value >>> (8 * i));
        }
        return word;
    }

    /** A failed request may have left anything in these bytes. */
    void forget(int offset, int length) {
        unknown.set(offset, offset + length);
    }

    /** The same of whatever a device may have written of these pieces, of which one may reach beyond its region. */
    void forget(List<Piece> pieces) {
        for (Piece piece : pieces) {
            for (int i = 0; i < piece.length(); i++) {
                int at = local(piece.key(), piece.address() + i, 1, true);
                if (at != DENIED) {
                    forget(at, 1);
                }
            }
        }
    }

    /** The first byte that is not what it must be, in words; null when there is none. Learns the unknown ones. */
    @Nullable
    String compare(byte[] actual) {
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != actual[i]) {
                if (!unknown.get(i)) {
                    return String.format("byte %d is 0x%02x instead of 0x%02x", i, actual[i], bytes[i]);
                }
                bytes[i] = actual[i];
            }
        }
        unknown.clear();
        return null;
    }
}
