package io.rdma4j.testkit.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Hands out a node's memory front to back, at odd offsets with gaps, so that a byte too far lands where it is noticed. */
final class AreaAllocator {
    private static final int MAX_GAP = 24;

    private final SplittableRandom random;
    private int used;

    AreaAllocator(SplittableRandom random) {
        this.random = random;
    }

    Area take(int length) {
        used += random.nextInt(MAX_GAP);
        Area area = new Area(used, length);
        used += length;
        return area;
    }

    /** Eight bytes at a multiple of 8; returns the offset. */
    int takeWord() {
        used = (used + 7) & -8;
        int offset = used;
        used += Long.BYTES;
        return offset;
    }

    /** Up to {@code maxPieces} areas of {@code length} bytes together; some pieces may be empty, and none is legal too. */
    List<Area> takePieces(int length, int maxPieces) {
        int count = random.nextInt(length == 0 ? 0 : 1, maxPieces + 1);
        List<Area> pieces = new ArrayList<>(count);
        int left = length;
        for (int i = 1; i <= count; i++) {
            int piece = i == count ? left : random.nextInt(left + 1);
            pieces.add(take(piece));
            left -= piece;
        }
        return pieces;
    }

    /** How long the memory must be: what was handed out, and a gap at its end. */
    int size() {
        return (used + MAX_GAP + 7) & -8;
    }
}
