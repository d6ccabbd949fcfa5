package io.rdma4j.testkit.sweep;

import io.rdma4j.testkit.sweep.Operation.AddMessage;
import io.rdma4j.testkit.sweep.Operation.ReadMessage;
import io.rdma4j.testkit.sweep.Operation.SendMessage;
import io.rdma4j.testkit.sweep.Operation.SwapMessage;
import io.rdma4j.testkit.sweep.Operation.WriteMessage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What both memories must hold in the end: two plain arrays, to which each lane is applied from first to last. Lanes
 * touch nothing in common but shared words, which {@link AtomicChecker} settles.
 */
final class MemoryModel {
    private final Map<Side, byte[]> expected = new EnumMap<>(Side.class);

    MemoryModel(SweepPlan plan) {
        for (Side side : Side.values()) {
            expected.put(side, InitialMemory.bytes(plan.seed(), side, plan.memoryBytes(side)));
        }
        for (LanePlan lane : plan.lanes()) {
            for (Operation operation : lane.operations()) {
                apply(lane.from(), operation);
            }
        }
    }

    private void apply(Side from, Operation operation) {
        Side to = from.other();
        if (operation instanceof SendMessage send) {
            scatter(to, send.receive(), gather(from, send.local()));
        } else if (operation instanceof WriteMessage write) {
            scatter(to, List.of(write.target()), gather(from, write.local()));
        } else if (operation instanceof ReadMessage read) {
            scatter(from, read.local(), gather(to, List.of(read.source())));
        } else if (operation instanceof AddMessage add && !add.word().shared()) {
            long before = word(to, add.word().offset());
            setWord(from, add.sink().offset(), before);
            setWord(to, add.word().offset(), before + add.add());
        } else if (operation instanceof SwapMessage swap) {
            long before = word(to, swap.word().offset());
            setWord(from, swap.sink().offset(), before);
            setWord(to, swap.word().offset(), before == swap.compare() ? swap.swap() : before);
        }
    }

    /** The little-endian value of 8 bytes (§3). */
    long word(Side side, int offset) {
        return view(side).getLong(offset);
    }

    /** Settles 8 bytes that only the run could tell. */
    void setWord(Side side, int offset, long value) {
        view(side).putLong(offset, value);
    }

    /** Expects another last byte than there will be; the allocator leaves a gap at the end. */
    void expectWrongByte(Side side) {
        byte[] bytes = bytes(side);
        bytes[bytes.length - 1] ^= 1;
    }

    /** Checks pieces that nothing writes any more: what a completed receive or READ brought. */
    void check(Side side, List<Area> pieces, NodeMemory actual, String what) {
        for (Area piece : pieces) {
            check(side, piece, actual, what);
        }
    }

    /** Checks every byte of a memory. */
    void checkAll(Side side, NodeMemory actual) {
        check(side, new Area(0, bytes(side).length), actual, "memory of " + side + " at the end");
    }

    private void check(Side side, Area area, NodeMemory actual, String what) {
        byte[] found = actual.copy(area);
        byte[] wanted = bytes(side);
        int at = Arrays.mismatch(found, 0, found.length, wanted, area.offset(), area.end());
        if (at >= 0) {
            int offset = area.offset() + at;
            throw new SweepFailure(String.format(
                    "%s: byte %d (of %d to %d) of %s is 0x%02x instead of 0x%02x",
                    what, offset, area.offset(), area.end(), side, found[at], wanted[offset]));
        }
    }

    private byte[] gather(Side side, List<Area> pieces) {
        byte[] message = new byte[Area.length(pieces)];
        int at = 0;
        for (Area piece : pieces) {
            System.arraycopy(bytes(side), piece.offset(), message, at, piece.length());
            at += piece.length();
        }
        return message;
    }

    /** Fills the pieces from the front; where they are longer than the message, the rest stays as it is. */
    private void scatter(Side side, List<Area> pieces, byte[] message) {
        int at = 0;
        for (Area piece : pieces) {
            int length = Math.min(piece.length(), message.length - at);
            System.arraycopy(message, at, bytes(side), piece.offset(), length);
            at += length;
        }
    }

    private ByteBuffer view(Side side) {
        return ByteBuffer.wrap(bytes(side)).order(ByteOrder.LITTLE_ENDIAN);
    }

    private byte[] bytes(Side side) {
        byte[] bytes = expected.get(side);
        if (bytes == null) {
            throw new IllegalStateException("no memory of " + side);
        }
        return bytes;
    }
}
