package io.rdma4j.testkit.contract;

import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.SharedReceiveQueue;
import io.rdma4j.verbs.SharedReceiveQueueAttributes;
import java.util.ArrayList;
import java.util.List;

/** Pairs whose ends {@code b} take their receives from one queue. */
final class SharedPairs {
    private static final int ELEMENTS = 4;

    private final ContractBed bed;
    private final SharedReceiveQueue queue;
    private final List<Pair> pairs = new ArrayList<>();

    /** A queue of the domain of those ends, and so many pairs of a plan. */
    SharedPairs(ContractBed bed, int receives, int count, PairPlan plan) {
        this(bed, bed.domain(1), receives);
        for (int i = 0; i < count; i++) {
            add(plan);
        }
    }

    /** A queue of a domain, without pairs yet. */
    SharedPairs(ContractBed bed, ProtectionDomain domain, int receives) {
        this.bed = bed;
        queue = bed.closing(domain.createSharedReceiveQueue(SharedReceiveQueueAttributes.of(receives, ELEMENTS)));
    }

    /** One more pair. */
    Pair add(PairPlan plan) {
        RdmaDevice receiver = bed.device(1);
        Pair pair = bed.pair(plan.shape(config -> isOf(receiver, config) ? config.sharedReceiveQueue(queue) : config));
        pairs.add(pair);
        return pair;
    }

    private static boolean isOf(RdmaDevice device, QueuePairConfig config) {
        return config.receiveCompletionQueue().device() == device;
    }

    SharedReceiveQueue queue() {
        return queue;
    }

    int count() {
        return pairs.size();
    }

    Pair pair(int index) {
        return pairs.get(index);
    }

    /** Posts a receive into the memory of the first end, at a place that follows from its id. */
    void post(long id, int length) {
        End first = pairs.get(0).b();
        queue.postReceive(ReceiveRequest.of(id, first.slice(offset(id, length), length)));
    }

    /** Posts receives with the ids from {@code first} on. */
    void postMany(long first, int many, int length) {
        for (int i = 0; i < many; i++) {
            post(first + i, length);
        }
    }

    /** Where {@link #post} puts the bytes of that receive. */
    int offset(long id, int length) {
        int places = (int) pairs.get(0).b().region().length() / length;
        return (int) (id % places) * length;
    }
}
