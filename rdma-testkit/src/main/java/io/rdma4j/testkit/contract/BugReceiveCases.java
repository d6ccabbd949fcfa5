package io.rdma4j.testkit.contract;

import static io.rdma4j.testkit.contract.ContractBed.expectRefused;
import static io.rdma4j.verbs.QueuePairState.INIT;
import static io.rdma4j.verbs.QueuePairState.RTS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.PostException;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendRequest;
import io.rdma4j.verbs.WorkCompletion;
import java.util.List;

/** Situations in which users of software RDMA devices met trouble: receives, messages without data, replies. */
final class BugReceiveCases {
    private BugReceiveCases() {}

    static List<ContractCase> cases() {
        return List.of(
                ContractCase.of(
                                "bug/36",
                                "post_recv in RESET: EINVAL; full: ENOMEM; too many elements: EINVAL; the first bad one named")
                        .covers(Feature.POST_STATES, Feature.LISTS)
                        .run(BugReceiveCases::receiveCodes),
                ContractCase.of(
                                "bug/40",
                                "messages without data, with no element, an empty one, key 0: S, 0 bytes, in order")
                        .covers(Feature.ZERO_LENGTH)
                        .run(BugReceiveCases::zeroLength),
                ContractCase.of(
                                "bug/44",
                                "a reply may come before the completion of the request: both orders are tolerated")
                        .covers(Feature.SHARED_CQ)
                        .run(BugReceiveCases::requestAndReply));
    }

    private static void receiveCodes(ContractBed bed) {
        Pair pair = bed.pair(PairPlan.RELIABLE.unconnected());
        QueuePair qp = pair.a().queuePair();
        expectRefused(ErrorCode.EINVAL, () -> qp.postReceive(ReceiveRequest.of(1)));
        qp.modify(QpModifyCases.required(qp, INIT));
        int elements = qp.capabilities().maxReceiveScatterGather() + 1;
        ReceiveRequest many = ReceiveRequest.of(1, BugCases.parts(pair.a(), 0, 1_000, elements));
        PostException refused =
                assertThrows(PostException.class, () -> qp.postReceive(List.of(ReceiveRequest.of(0), many)));
        assertEquals(ErrorCode.EINVAL, refused.code());
        assertEquals(1, refused.index());
        int room = qp.capabilities().maxReceiveWorkRequests();
        for (int i = 1; i < room; i++) {
            qp.postReceive(ReceiveRequest.of(i));
        }
        expectRefused(ErrorCode.ENOMEM, () -> qp.postReceive(ReceiveRequest.of(room)));
    }

    private static void zeroLength(ContractBed bed) {
        Pair pair = bed.pair();
        End a = pair.a();
        End b = pair.b();
        SendRequest[] requests = {
            Send.of(0).signaled(),
            Send.of(1, a.slice(0, 0)).signaled(),
            RdmaWrite.of(2, a.slice(0, 64)).to(b.address(0), b.key()).signaled(),
            RdmaWrite.of(3).to(0, 0).signaled(),
            RdmaWrite.of(4, a.slice(0, 0)).to(b.address(0), b.key()).signaled(),
            RdmaRead.of(5).from(0, 0).signaled(),
            RdmaRead.of(6, a.slice(0, 0)).from(b.address(0), b.badKey()).signaled()
        };
        b.postReceive(100, 64, 64);
        b.postReceive(101);
        a.post(requests);
        for (int i = 0; i < requests.length; i++) {
            a.expectSent(i);
        }
        assertEquals(0, b.expectReceived(100).byteLength());
        assertEquals(0, b.expectReceived(101).byteLength());
        Pair.expectSame(a, 0, b, 0, 64);
        b.expectUntouchedBut(0, 64);
        pair.expectState(RTS);
    }

    private static void requestAndReply(ContractBed bed) {
        int rounds = bed.scaled("rounds", 500, 100);
        CompletionQueue queue = bed.closing(bed.device(0).createCompletionQueue(64));
        End peer = bed.pair(PairPlan.RELIABLE.unconnected()).b();
        QueuePair qp = bed.closing(bed.domain(0).createQueuePair(QueuePairConfig.reliable(queue)));
        qp.connect(peer.queuePair().localAddress());
        peer.queuePair().connect(qp.localAddress());
        WorkCompletion[] done = WorkCompletion.array(2);
        for (int i = 0; i < rounds; i++) {
            qp.postReceive(ReceiveRequest.of(2L * i));
            peer.postReceive(i);
            qp.postSend(Send.of(2L * i + 1).signaled());
            peer.expectReceived(i);
            peer.post(Send.of(i).signaled());
            long sum = 0;
            for (int n = 0; n < 2; n++) {
                bed.expect("request and reply", () -> queue.poll(done, 1) == 1);
                assertTrue(done[0].isSuccess(), done[0]::toString);
                sum += done[0].workRequestId();
            }
            assertEquals(4L * i + 1, sum);
            peer.expectSent(i);
        }
    }
}
