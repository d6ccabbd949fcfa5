package io.rdma4j.testkit.contract;

import static io.rdma4j.testkit.contract.ContractBed.expectRefused;
import static io.rdma4j.verbs.QueuePairState.ERR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rdma4j.verbs.AsyncEventType;
import io.rdma4j.verbs.CompletionChannel;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;

/** Completion queues: making, polling, resizing, overrun. */
final class CqCases {
    private static final int PER_QUEUE_PAIR = 1_024;

    private CqCases() {}

    static List<ContractCase> cases() {
        return Stream.of(making(), using()).flatMap(List::stream).toList();
    }

    private static List<ContractCase> making() {
        return List.of(
                ContractCase.of("cq/Basic", "a queue holds at least what was asked for, is empty, and is destroyed")
                        .covers(Feature.CQ)
                        .run(CqCases::basic),
                ContractCase.of(
                                "cq/DestroyInvalid",
                                "a destroyed queue refuses all calls; destroying again does nothing")
                        .covers(Feature.CQ, Feature.BAD_ARGUMENTS)
                        .run(CqCases::destroyed),
                ContractCase.of("cq/NegativeCqe", "refused")
                        .covers(Feature.CQ, Feature.BAD_ARGUMENTS)
                        .run(bed -> expectRefused(
                                ErrorCode.EINVAL, () -> bed.device(0).createCompletionQueue(-1))),
                ContractCase.of("cq/ZeroCqe", "refused")
                        .covers(Feature.CQ, Feature.BAD_ARGUMENTS)
                        .run(bed -> expectRefused(
                                ErrorCode.EINVAL, () -> bed.device(0).createCompletionQueue(0))),
                ContractCase.of("cq/MaxCqe", "the device's maximum works")
                        .covers(Feature.CQ, Feature.QUERY_DEVICE)
                        .run(CqCases::maximum),
                ContractCase.of("cq/AboveMaxCqe", "one more than the device's maximum is refused")
                        .covers(Feature.CQ, Feature.QUERY_DEVICE)
                        .run(bed -> expectRefused(
                                ErrorCode.EINVAL, () -> bed.device(0).createCompletionQueue(most(bed) + 1))),
                ContractCase.of("cq/BadCompVector", "-1 and num_comp_vectors are refused")
                        .covers(Feature.CQ)
                        .needs(Need.COMPLETION_VECTORS)
                        .run(bed -> bed.device(0)),
                ContractCase.of("cq/GoodCompVector", "0 and num_comp_vectors - 1 work")
                        .covers(Feature.CQ)
                        .needs(Need.COMPLETION_VECTORS)
                        .run(bed -> bed.device(0)),
                ContractCase.of("cq/WithChannel", "a queue with a channel; a foreign channel is refused")
                        .covers(Feature.CQ, Feature.CHANNEL, Feature.BAD_ARGUMENTS)
                        .run(CqCases::withChannel),
                ContractCase.of("cq/ShareChannel", "two queues share a channel")
                        .covers(Feature.CQ, Feature.CHANNEL)
                        .run(CqCases::sharedChannel));
    }

    private static List<ContractCase> using() {
        return List.of(
                ContractCase.of("cq/PollNothing", "polling for 0 completions takes none; a bad count is refused")
                        .covers(Feature.CQ, Feature.BAD_ARGUMENTS)
                        .run(CqCases::pollNothing),
                ContractCase.of(
                                "cq/Resize",
                                "completions that wait stay in order; fewer places than they need are refused")
                        .covers(Feature.RESIZE_CQ)
                        .run(bed -> resize(bed, 10, new int[] {12, 64, 10})),
                ContractCase.of(
                                "bug/34",
                                "16 places, 10 completions, wrapped: 12 and 64 work, 9 is EINVAL; all 10 are there in order")
                        .covers(Feature.RESIZE_CQ)
                        .run(bed -> resize(bed, 10, new int[] {12, 64})),
                ContractCase.of(
                                "bug/20",
                                "max_cqe is honoured: created, filled to the last place without overrun, one more is EINVAL")
                        .covers(Feature.CQ, Feature.QUERY_DEVICE)
                        .run(CqCases::fill),
                overflow("cq/SendCqOverflow", true),
                overflow("cq/RecvCqOverflow", false),
                ContractCase.of("cqex/BasicPoll", "time stamps of completions are positive")
                        .covers(Feature.CQ)
                        .needs(Need.EXTENDED_QUEUES)
                        .run(bed -> bed.device(0)));
    }

    private static int most(ContractBed bed) {
        return bed.device(0).attributes().maxCompletionQueueEntries();
    }

    private static void basic(ContractBed bed) {
        CompletionQueue queue = bed.device(0).createCompletionQueue(100);
        assertSame(bed.device(0), queue.device());
        assertTrue(queue.capacity() >= 100);
        assertEquals(0, queue.poll(WorkCompletion.array(4)));
        expectRefused(ErrorCode.EINVAL, () -> queue.arm(false));
        queue.close();
    }

    private static void destroyed(ContractBed bed) {
        CompletionQueue queue = bed.device(0).createCompletionQueue(16);
        queue.close();
        queue.close();
        expectRefused(ErrorCode.EBADF, () -> queue.poll(WorkCompletion.array(1)));
        expectRefused(ErrorCode.EBADF, () -> queue.resize(32));
        expectRefused(EnumSet.of(ErrorCode.EBADF, ErrorCode.EINVAL), () -> queue.arm(false));
    }

    private static void maximum(ContractBed bed) {
        CompletionQueue queue = bed.device(0).createCompletionQueue(most(bed));
        assertTrue(queue.capacity() >= most(bed));
        queue.close();
    }

    private static void withChannel(ContractBed bed) {
        CompletionChannel channel = bed.closing(bed.device(0).createCompletionChannel());
        CompletionQueue queue = bed.device(0).createCompletionQueue(16, channel);
        queue.close();
        expectRefused(ErrorCode.EINVAL, () -> bed.device(1).createCompletionQueue(16, channel));
    }

    private static void sharedChannel(ContractBed bed) {
        CompletionChannel channel = bed.device(0).createCompletionChannel();
        CompletionQueue one = bed.device(0).createCompletionQueue(16, channel);
        CompletionQueue two = bed.device(0).createCompletionQueue(16, channel);
        one.close();
        expectRefused(ErrorCode.EBUSY, channel::close);
        two.close();
        channel.close();
    }

    private static void pollNothing(ContractBed bed) {
        Pair pair = bed.pair();
        pair.a().post(Operation.WRITE.between(1, pair.a(), pair.b()));
        WorkCompletion[] into = WorkCompletion.array(2);
        assertEquals(0, pair.a().sends().poll(into, 0));
        expectRefused(ErrorCode.EINVAL, () -> pair.a().sends().poll(into, -1));
        expectRefused(ErrorCode.EINVAL, () -> pair.a().sends().poll(into, 3));
        pair.a().expectSent(1);
    }

    private static void resize(ContractBed bed, int waiting, int[] sizes) {
        Pair pair = bed.pair(PairPlan.RELIABLE.completions(16));
        for (int i = 0; i < 12; i++) {
            pair.a().post(Operation.WRITE.between(i, pair.a(), pair.b()));
            pair.a().expectSent(i);
        }
        for (int i = 0; i < waiting; i++) {
            pair.a().post(Operation.WRITE.between(100 + i, pair.a(), pair.b()));
        }
        bed.advance(Duration.ofMillis(50));
        for (int size : sizes) {
            pair.a().sends().resize(size);
            assertTrue(pair.a().sends().capacity() >= size);
        }
        int capacity = pair.a().sends().capacity();
        expectRefused(ErrorCode.EINVAL, () -> pair.a().sends().resize(waiting - 1));
        assertEquals(capacity, pair.a().sends().capacity());
        for (int i = 0; i < waiting; i++) {
            pair.a().expectSent(100 + i);
        }
        pair.a().post(Operation.WRITE.between(1, pair.a(), pair.b()));
        pair.a().expectSent(1);
    }

    private static void fill(ContractBed bed) {
        int most = most(bed);
        int entries = Math.min(most, bed.scaled("completions at most", 32_767, 4_096));
        RdmaDevice device = bed.device(0);
        device.createCompletionQueue(most).close();
        expectRefused(ErrorCode.EINVAL, () -> device.createCompletionQueue(most + 1));
        CompletionQueue queue = bed.closing(device.createCompletionQueue(entries));
        int capacity = queue.capacity();
        for (int posted = 0; posted < capacity; posted += PER_QUEUE_PAIR) {
            QueuePair qp = bed.closing(bed.domain(0)
                    .createQueuePair(QueuePairConfig.reliable(queue).maxReceiveWorkRequests(PER_QUEUE_PAIR)));
            qp.modify(QpModifyCases.required(qp, QueuePairState.INIT));
            for (int i = posted; i < Math.min(capacity, posted + PER_QUEUE_PAIR); i++) {
                qp.postReceive(ReceiveRequest.of(i));
            }
            qp.modify(QueuePairAttributes.builder().state(ERR).build());
        }
        bed.advance(Duration.ofMillis(50));
        WorkCompletion[] all = WorkCompletion.array(capacity);
        int[] count = new int[1];
        bed.expect("all completions", () -> (count[0] += queue.poll(all, capacity - count[0])) == capacity);
        bed.expectNoEvents();
        assertEquals(0, queue.poll(all));
    }

    private static ContractCase overflow(String id, boolean isSend) {
        return ContractCase.of(id, "CQ_ERR and QP_FATAL; what was in the queue is not lost; others are unharmed")
                .covers(Feature.CQ_OVERRUN, Feature.ASYNC_EVENTS)
                .run(bed -> overflow(bed, isSend));
    }

    private static void overflow(ContractBed bed, boolean isSend) {
        Pair other = bed.pair();
        Pair pair = bed.pair(PairPlan.RELIABLE.completions(8));
        End end = isSend ? pair.a() : pair.b();
        CompletionQueue queue = isSend ? end.sends() : end.receives();
        int capacity = queue.capacity();
        for (int i = 0; i <= capacity; i++) {
            if (isSend) {
                pair.a().post(Operation.WRITE.between(i, pair.a(), pair.b()));
            } else {
                pair.b().postReceive(i, 0, 64);
                pair.a().post(Send.of(i, pair.a().slice(0, 8)));
            }
        }
        bed.expectEvent(end.device(), AsyncEventType.CQ_ERR, queue.number());
        bed.expectEvent(end.device(), AsyncEventType.QP_FATAL, end.queuePair().number());
        end.expectState(ERR);
        WorkCompletion[] all = WorkCompletion.array(capacity);
        assertEquals(capacity, queue.poll(all));
        for (int i = 0; i < capacity; i++) {
            assertEquals(i, all[i].workRequestId());
            assertTrue(all[i].isSuccess(), all[i]::toString);
        }
        other.a().post(Operation.WRITE.between(1, other.a(), other.b()));
        other.a().expectSent(1);
        if (!isSend) {
            WorkCompletion last = pair.a().nextSent();
            assertEquals(capacity, last.workRequestId(), last::toString);
        }
    }
}
