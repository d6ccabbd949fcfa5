package io.rdma4j.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Batches of requests on many queue pairs, with completion queues of their own and shared ones. */
final class CqBatchCases {
    private static final int QUEUE_PAIRS = 8;
    private static final int PER_QUEUE_PAIR = 100;

    private CqBatchCases() {}

    static List<ContractCase> cases() {
        return List.of(
                batch("cq/SendSharedCq", true, true),
                batch("cq/SendTwoCqs", true, false),
                batch("cq/RecvSharedCq", false, true),
                batch("cq/RecvTwoCqs", false, false));
    }

    private static ContractCase batch(String id, boolean isSend, boolean isShared) {
        return ContractCase.of(id, "each request of 8 x 100 completes once, S, in order for its queue pair")
                .covers(Feature.CQ, Feature.SHARED_CQ)
                .run(bed -> batch(bed, isSend, isShared));
    }

    /** The queue pairs of one direction, and where they complete. */
    private record Side(List<QueuePair> queuePairs, List<CompletionQueue> queues) {}

    private static Side side(ContractBed bed, int device, boolean isShared) {
        List<CompletionQueue> queues = new ArrayList<>();
        List<QueuePair> queuePairs = new ArrayList<>();
        for (int i = 0; i < QUEUE_PAIRS; i++) {
            if (i == 0 || (!isShared && i == QUEUE_PAIRS / 2)) {
                queues.add(bed.closing(bed.device(device).createCompletionQueue(2 * QUEUE_PAIRS * PER_QUEUE_PAIR)));
            }
            CompletionQueue queue = queues.get(queues.size() - 1);
            queuePairs.add(bed.closing(bed.domain(device).createQueuePair(QueuePairConfig.reliable(queue))));
        }
        return new Side(queuePairs, queues);
    }

    private static void batch(ContractBed bed, boolean isSend, boolean isShared) {
        Side senders = side(bed, 0, isShared);
        Side receivers = side(bed, 1, isShared);
        for (int i = 0; i < QUEUE_PAIRS; i++) {
            QueuePair from = senders.queuePairs.get(i);
            QueuePair to = receivers.queuePairs.get(i);
            from.connect(to.localAddress(), ConnectOptions.DEFAULT);
            to.connect(from.localAddress(), ConnectOptions.DEFAULT);
        }
        for (int n = 0; n < PER_QUEUE_PAIR; n++) {
            for (int i = 0; i < QUEUE_PAIRS; i++) {
                receivers.queuePairs.get(i).postReceive(ReceiveRequest.of(n));
            }
        }
        for (int n = 0; n < PER_QUEUE_PAIR; n++) {
            for (int i = 0; i < QUEUE_PAIRS; i++) {
                senders.queuePairs.get(i).postSend(isSend ? Send.of(n).signaled() : Send.of(n));
            }
        }
        expectEachOnce(bed, isSend ? senders : receivers);
    }

    private static void expectEachOnce(ContractBed bed, Side side) {
        Map<Integer, Long> next = new HashMap<>();
        side.queuePairs.forEach(qp -> next.put(qp.number(), 0L));
        int[] count = new int[1];
        WorkCompletion[] done = WorkCompletion.array(16);
        bed.expect("all completions", () -> {
            for (CompletionQueue queue : side.queues) {
                int n = queue.poll(done);
                for (int i = 0; i < n; i++) {
                    assertTrue(done[i].isSuccess(), done[i]::toString);
                    Long wanted = next.get(done[i].queuePairNumber());
                    assertEquals(wanted, done[i].workRequestId(), done[i]::toString);
                    next.put(done[i].queuePairNumber(), done[i].workRequestId() + 1);
                }
                count[0] += n;
            }
            return count[0] == QUEUE_PAIRS * PER_QUEUE_PAIR;
        });
        assertEquals(0, side.queues.get(0).poll(done));
    }
}
