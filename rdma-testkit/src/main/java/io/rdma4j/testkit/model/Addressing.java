package io.rdma4j.testkit.model;

import io.rdma4j.testkit.model.Request.Remote;
import io.rdma4j.verbs.AccessFlag;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Names ranges of a node's memory by keys and addresses, rightly or, when asked to, wrongly. */
final class Addressing {
    private final ReferenceMemory memory;
    private final SplittableRandom random;

    Addressing(ReferenceMemory memory, SplittableRandom random) {
        this.memory = memory;
        this.random = random;
    }

    /** A piece for own requests that may be used. */
    Piece piece(int offset, int length, boolean write) {
        return named(any(usable(offset, length, write ? AccessFlag.LOCAL_WRITE : null)), offset, length);
    }

    private static Piece named(ReferenceRegion region, int offset, int length) {
        return new Piece(region.localKey(), region.addressOf(offset), length);
    }

    /** A piece that may not be used; {@code mayTouch} allows one whose first bytes, within the zone, may. */
    Piece wrongPiece(Layout.Zone zone, int length, boolean write, boolean mayTouch) {
        int offset = zone.place(length, random);
        Piece right = piece(offset, length, write);
        return switch (random.nextInt(3)) {
            case 0 ->
                mayTouch && isWithin(zone, right, length)
                        ? beyond(right, length)
                        : new Piece(unusedKey(), right.address(), length);
            case 1 -> {
                List<ReferenceRegion> wrong = unusable(offset, length, write ? AccessFlag.LOCAL_WRITE : null);
                yield wrong.isEmpty()
                        ? new Piece(unusedKey(), right.address(), length)
                        : named(any(wrong), offset, length);
            }
            default -> new Piece(unusedKey(), right.address(), length);
        };
    }

    private boolean isWithin(Layout.Zone zone, Piece right, int length) {
        ReferenceRegion region = regionOfLocalKey(right.key());
        int end = region.offset() + region.length();
        return end - length + 1 >= zone.from() && end <= zone.to();
    }

    /** The same region, but the last byte lies behind its end. */
    private Piece beyond(Piece right, int length) {
        ReferenceRegion region = regionOfLocalKey(right.key());
        long end = region.address() + region.length();
        return new Piece(right.key(), end - length + 1, length);
    }

    /** A place that the peer may use. */
    Remote remote(int offset, int length, AccessFlag right) {
        ReferenceRegion region = any(usable(offset, length, right));
        return new Remote(region.addressOf(offset), region.remoteKey());
    }

    /** A place that the peer may not use. */
    Remote wrongRemote(int offset, int length, AccessFlag right) {
        Remote remote = remote(offset, length, right);
        return switch (random.nextInt(4)) {
            case 0 -> {
                ReferenceRegion region = any(usable(offset, length, right));
                // A multiple of 8, so that an atomic fails by its range and not by its alignment.
                long behind = (region.address() + region.length() - length + 8) & -8L;
                yield new Remote(behind, region.remoteKey());
            }
            case 1 -> {
                ReferenceRegion region = any(usable(offset, length, right));
                yield new Remote((region.address() & -8L) - 8, region.remoteKey());
            }
            case 2 -> {
                List<ReferenceRegion> wrong = unusable(offset, length, right);
                if (wrong.isEmpty()) {
                    yield new Remote(remote.address(), unusedKey());
                }
                ReferenceRegion region = any(wrong);
                yield new Remote(region.addressOf(offset), region.remoteKey());
            }
            default -> new Remote(remote.address(), unusedKey());
        };
    }

    private List<ReferenceRegion> usable(int offset, int length, @Nullable AccessFlag right) {
        return regions(region -> region.holds(offset, length)
                && !region.foreign()
                && (right == null || region.rights().contains(right)));
    }

    private List<ReferenceRegion> unusable(int offset, int length, @Nullable AccessFlag right) {
        return regions(region -> region.holds(offset, length)
                && (region.foreign() || (right != null && !region.rights().contains(right))));
    }

    private List<ReferenceRegion> regions(Predicate<ReferenceRegion> condition) {
        return memory.regions().stream().filter(condition).toList();
    }

    private ReferenceRegion regionOfLocalKey(int key) {
        return any(regions(region -> region.localKey() == key));
    }

    /** A key that names nothing, often one that named something before or that differs in little from one that does. */
    private int unusedKey() {
        int key = any(memory.regions()).remoteKey() ^ (1 << random.nextInt(32));
        while (memory.isKeyInUse(key)) {
            key = random.nextInt();
        }
        return key;
    }

    private ReferenceRegion any(List<ReferenceRegion> from) {
        return from.get(random.nextInt(from.size()));
    }
}
