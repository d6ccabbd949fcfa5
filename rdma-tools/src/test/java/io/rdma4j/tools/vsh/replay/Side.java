package io.rdma4j.tools.vsh.replay;

import io.rdma4j.tools.vsh.shell.Session;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** One of the two sides: its session, and which numbers of the transcript's stand for which of ours. */
final class Side {
    final Session session;
    private final List<Region> regions = new ArrayList<>();
    private final Map<Long, Long> keys = new HashMap<>();
    private final Map<Long, Long> queuePairs = new HashMap<>();

    /** A region as the transcript has it, and as we do. */
    private record Region(long address, long key, long size, long ourAddress, long ourKey) {
        /** Addresses just outside of a region are part of the scenarios, so it takes some of what lies behind it. */
        boolean holds(long wanted) {
            return wanted >= address && wanted < address + size + 4096;
        }
    }

    Side(Session session) {
        this.session = session;
    }

    /** Learns what one answer told there and here. */
    void learn(String theirs, String ours) {
        pair(theirs, ours, "qpn", queuePairs);
        pair(theirs, ours, "rkey", keys);
        OptionalLong address = AnswerFields.number(theirs, "addr");
        if (address.isPresent()) {
            regions.add(new Region(
                    address.getAsLong(),
                    AnswerFields.number(theirs, "rkey").orElseThrow(),
                    AnswerFields.number(theirs, "size").orElseThrow(),
                    AnswerFields.number(ours, "addr").orElseThrow(),
                    AnswerFields.number(ours, "rkey").orElseThrow()));
        }
    }

    private static void pair(String theirs, String ours, String name, Map<Long, Long> known) {
        OptionalLong their = AnswerFields.number(theirs, name);
        OptionalLong our = AnswerFields.number(ours, name);
        if (their.isPresent() && our.isPresent()) {
            known.put(their.getAsLong(), our.getAsLong());
        }
    }

    /** Our address for one in this side's memory. */
    long address(long theirs) {
        Region region = region(theirs);
        return theirs - region.address() + region.ourAddress();
    }

    /**
     * Our key for one of this side's. A key that was never told is a wrong one on purpose, made from that of the region
     * which is addressed; ours is made wrong in the same way.
     */
    long key(long theirs, long theirAddress) {
        Long known = keys.get(theirs);
        if (known != null) {
            return known;
        }
        Region region = region(theirAddress);
        return region.ourKey() ^ region.key() ^ theirs;
    }

    /** Our key for one of this side's that is told without an address; one that was never told stays as it is. */
    long key(long theirs) {
        return keys.getOrDefault(theirs, theirs);
    }

    long queuePair(long theirs) {
        return queuePairs.getOrDefault(theirs, theirs);
    }

    private Region region(long theirAddress) {
        return regions.stream()
                .filter(region -> region.holds(theirAddress))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no region at 0x" + Long.toHexString(theirAddress)));
    }
}
