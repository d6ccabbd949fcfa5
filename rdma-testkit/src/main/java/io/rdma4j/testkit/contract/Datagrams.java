package io.rdma4j.testkit.contract;

import io.rdma4j.verbs.AddressHandle;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.QueuePairType;
import io.rdma4j.verbs.Send;
import java.util.Map;

/** Two queue pairs for datagrams in RTS, with the way from {@code a} to {@code b}. */
final class Datagrams {
    static final int QKEY = 0x11111111;

    /** Bytes of route before each payload. */
    static final int ROUTE = 40;

    private final ContractBed bed;
    private final Pair pair;
    private final AddressHandle way;
    private final Map<String, Long> before;

    Datagrams(ContractBed bed) {
        this(bed, PairPlan.of(QueuePairType.UD));
    }

    Datagrams(ContractBed bed, PairPlan plan) {
        this.bed = bed;
        pair = bed.pair(plan);
        pair.a().queuePair().activate(QKEY);
        pair.b().queuePair().activate(QKEY);
        way = way(pair.a(), pair.b());
        before = b().device().counters();
    }

    End a() {
        return pair.a();
    }

    End b() {
        return pair.b();
    }

    AddressHandle way() {
        return way;
    }

    AddressHandle way(End from, End to) {
        return bed.closing(
                from.domain().createAddressHandle(AddressVector.of(to.device().gid())));
    }

    /** The device of b comes to have counted so many since the beginning. */
    void expectCounted(String counter, long count) {
        bed.expect(
                counter + " " + count, () -> count(b().device().counters(), counter) - count(before, counter) == count);
    }

    private static long count(Map<String, Long> counters, String counter) {
        return counters.getOrDefault(counter, 0L);
    }

    /** Sends the first bytes of a's memory to b, signaled. */
    void send(long id, int length) {
        a().post(Send.of(id, a().slice(0, length))
                .to(way, b().queuePair().number(), QKEY)
                .signaled());
    }
}
