package io.rdma4j.testkit.contract;

import static io.rdma4j.testkit.contract.ContractBed.expectRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rdma4j.verbs.AsyncEventType;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.PostException;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.SharedReceiveQueue;
import io.rdma4j.verbs.SharedReceiveQueueAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Shared receive queues: making them, their sizes, and posting. */
final class SrqCases {
    private static final int RECEIVES = 8;
    private static final int ELEMENTS = 4;

    private SrqCases() {}

    static List<ContractCase> cases() {
        return List.of(
                of("srq/Create", "a queue is made, tells its sizes, and is closed")
                        .run(SrqCases::create),
                of("srq/DestroyInvalid", "what is closed is refused with EBADF; closing again does nothing")
                        .covers(Feature.BAD_ARGUMENTS)
                        .run(SrqCases::destroyed),
                of("srq/CreateWithInvalidPd", "a domain that is closed makes none")
                        .covers(Feature.BAD_ARGUMENTS)
                        .run(SrqCases::invalidDomain),
                of("srq/CreateQpWithSrq", "the queue pair tells the queue").run(SrqCases::queuePair),
                of("srq/CreateQpWithInvalidSrq", "a queue that is closed, or of another device, is refused")
                        .covers(Feature.BAD_ARGUMENTS)
                        .run(SrqCases::invalidQueue),
                of("srq/PostWrongApi", "posting to the queue pair is EINVAL").run(SrqCases::wrongApi),
                of("srq/MaxWr", "as many as were asked for can be posted").run(bed -> fill(bed, RECEIVES)),
                of("srq/ExceedMaxWr", "one more is ENOMEM, and its place in the list is told")
                        .covers(Feature.LISTS)
                        .run(SrqCases::overfull),
                of("srq/MaxSge", "as many elements as were asked for can be posted")
                        .run(SrqCases::elements),
                of("srq/ExceedMaxSge", "one element more is EINVAL, and its place in the list is told")
                        .covers(Feature.LISTS)
                        .run(SrqCases::tooManyElements),
                of("srq/DeviceCap", "a queue of the sizes that the device tells, each alone, can be made")
                        .covers(Feature.QUERY_DEVICE)
                        .run(SrqCases::deviceSizes),
                of("srq/ExceedDeviceMaxWr", "one receive more than the device tells is EINVAL")
                        .covers(Feature.QUERY_DEVICE)
                        .run(bed -> tooLarge(bed, maxReceives(bed) + 1, 1)),
                of("srq/ExceedDeviceMaxSge", "one element more than the device tells is EINVAL")
                        .covers(Feature.QUERY_DEVICE)
                        .run(bed -> tooLarge(bed, 1, maxElements(bed) + 1)),
                of("srq/ModifyMaxWr", "a full queue refuses one more, and takes it when it was resized")
                        .run(SrqCases::resize),
                of("srq/ResizeBelowPosted", "fewer than are posted, or than the armed limit, is EINVAL")
                        .run(SrqCases::resizeRefused),
                of("srq/LimitOutOfRange", "a limit above max_wr or below 0 is EINVAL")
                        .run(SrqCases::badLimit),
                of("srq/LimitAtCreation", "srq_limit at creation is ignored").run(SrqCases::limitAtCreation),
                of("srq/LimitWhileBelow", "armed with fewer posted it is reached, once; then it is 0")
                        .covers(Feature.ASYNC_EVENTS)
                        .run(SrqCases::limitWhileBelow),
                of("srq/CloseWithQps", "EBUSY with the names of the queue pairs, until they are closed")
                        .covers(Feature.SRQ_BUSY)
                        .run(SrqCases::busy),
                of("bug/46", "max_recv_wr and max_recv_sge of any size are taken, ignored, and told as 0")
                        .covers(Feature.QP_CREATE)
                        .run(SrqCases::ownSizes));
    }

    private static ContractCase.Builder of(String id, String expectation) {
        return ContractCase.of(id, expectation).covers(Feature.SRQ);
    }

    private static SharedReceiveQueue make(ContractBed bed) {
        return bed.closing(bed.domain(0).createSharedReceiveQueue(SharedReceiveQueueAttributes.of(RECEIVES, ELEMENTS)));
    }

    private static QueuePairConfig on(ContractBed bed, int device, SharedReceiveQueue queue) {
        return QueuePairConfig.reliable(bed.closing(bed.device(device).createCompletionQueue(8)))
                .sharedReceiveQueue(queue);
    }

    private static void create(ContractBed bed) {
        SharedReceiveQueue queue = make(bed);
        SharedReceiveQueueAttributes sizes = queue.query();
        assertTrue(sizes.maxWorkRequests() >= RECEIVES, sizes::toString);
        assertTrue(sizes.maxScatterGather() >= ELEMENTS, sizes::toString);
        assertEquals(0, sizes.limit());
        assertSame(bed.domain(0), queue.protectionDomain());
        SharedReceiveQueue other = make(bed);
        assertTrue(other.number() != queue.number(), "numbers differ");
        queue.close();
    }

    private static void destroyed(ContractBed bed) {
        SharedReceiveQueue queue = make(bed);
        queue.close();
        queue.close();
        expectRefused(ErrorCode.EBADF, () -> queue.postReceive(ReceiveRequest.of(1)));
        expectRefused(ErrorCode.EBADF, queue::query);
        expectRefused(ErrorCode.EBADF, () -> queue.armLimit(1));
        expectRefused(ErrorCode.EBADF, () -> queue.resize(1));
    }

    private static void invalidDomain(ContractBed bed) {
        ProtectionDomain domain = bed.device(0).allocateProtectionDomain();
        domain.close();
        expectRefused(ErrorCode.EBADF, () -> domain.createSharedReceiveQueue(SharedReceiveQueueAttributes.of(1, 1)));
    }

    private static void queuePair(ContractBed bed) {
        SharedReceiveQueue queue = make(bed);
        QueuePair queuePair = bed.closing(bed.domain(0).createQueuePair(on(bed, 0, queue)));
        assertSame(queue, queuePair.sharedReceiveQueue());
        assertNull(bed.pair().a().queuePair().sharedReceiveQueue());
    }

    private static void invalidQueue(ContractBed bed) {
        SharedReceiveQueue foreign = bed.closing(
                bed.domain(1).createSharedReceiveQueue(SharedReceiveQueueAttributes.of(RECEIVES, ELEMENTS)));
        QueuePairConfig mixed = on(bed, 0, foreign);
        expectRefused(ErrorCode.EINVAL, () -> bed.domain(0).createQueuePair(mixed));
        SharedReceiveQueue closed = make(bed);
        QueuePairConfig late = on(bed, 0, closed);
        closed.close();
        expectRefused(ErrorCode.EINVAL, () -> bed.domain(0).createQueuePair(late));
    }

    private static void wrongApi(ContractBed bed) {
        SharedPairs shared = new SharedPairs(bed, RECEIVES, 1, PairPlan.RELIABLE);
        expectRefused(ErrorCode.EINVAL, () -> shared.pair(0).b().postReceive(1));
    }

    private static SharedReceiveQueue fill(ContractBed bed, int count) {
        SharedReceiveQueue queue = make(bed);
        List<ReceiveRequest> requests = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            requests.add(ReceiveRequest.of(i));
        }
        queue.postReceive(requests);
        return queue;
    }

    private static void refusedAt(int index, ErrorCode code, SharedReceiveQueue queue, List<ReceiveRequest> requests) {
        PostException refusal = assertThrows(PostException.class, () -> queue.postReceive(requests));
        assertEquals(code, refusal.code(), refusal::getMessage);
        assertEquals(index, refusal.index(), refusal::getMessage);
    }

    private static void overfull(ContractBed bed) {
        SharedReceiveQueue queue = make(bed);
        int room = queue.query().maxWorkRequests();
        List<ReceiveRequest> requests = new ArrayList<>();
        for (int i = 0; i < room + 2; i++) {
            requests.add(ReceiveRequest.of(i));
        }
        refusedAt(room, ErrorCode.ENOMEM, queue, requests);
    }

    private static ReceiveRequest receive(ContractBed bed, int elements) {
        ScatterGatherElement one = bed.pair().a().slice(0, 8);
        ScatterGatherElement[] all = new ScatterGatherElement[elements];
        Arrays.fill(all, one);
        return ReceiveRequest.of(1, all);
    }

    private static void elements(ContractBed bed) {
        SharedReceiveQueue queue = make(bed);
        queue.postReceive(receive(bed, queue.query().maxScatterGather()));
    }

    private static void tooManyElements(ContractBed bed) {
        SharedReceiveQueue queue = make(bed);
        int most = queue.query().maxScatterGather();
        refusedAt(1, ErrorCode.EINVAL, queue, List.of(receive(bed, most), receive(bed, most + 1), receive(bed, 1)));
    }

    private static void tooLarge(ContractBed bed, int receives, int elements) {
        RdmaException refusal = expectRefused(
                ErrorCode.EINVAL,
                () -> bed.domain(0).createSharedReceiveQueue(SharedReceiveQueueAttributes.of(receives, elements)));
        String asked = String.valueOf(Math.max(receives, elements));
        assertTrue(String.valueOf(refusal.getMessage()).contains(asked), refusal::getMessage);
    }

    private static int maxReceives(ContractBed bed) {
        return bed.device(0).attributes().maxSharedReceiveQueueWorkRequests();
    }

    private static int maxElements(ContractBed bed) {
        return bed.device(0).attributes().maxSharedReceiveQueueScatterGather();
    }

    private static void deviceSizes(ContractBed bed) {
        for (SharedReceiveQueueAttributes sizes : List.of(
                SharedReceiveQueueAttributes.of(maxReceives(bed), 1),
                SharedReceiveQueueAttributes.of(1, maxElements(bed)))) {
            SharedReceiveQueue queue = bed.closing(bed.domain(0).createSharedReceiveQueue(sizes));
            assertEquals(sizes.maxWorkRequests(), queue.query().maxWorkRequests());
            assertEquals(sizes.maxScatterGather(), queue.query().maxScatterGather());
            queue.close();
        }
    }

    private static void resize(ContractBed bed) {
        SharedReceiveQueue queue = fill(bed, RECEIVES);
        expectRefused(ErrorCode.ENOMEM, () -> queue.postReceive(ReceiveRequest.of(9)));
        queue.resize(RECEIVES + 1);
        assertEquals(RECEIVES + 1, queue.query().maxWorkRequests());
        queue.postReceive(ReceiveRequest.of(9));
    }

    private static void resizeRefused(ContractBed bed) {
        SharedReceiveQueue queue = fill(bed, RECEIVES - 2);
        expectRefused(ErrorCode.EINVAL, () -> queue.resize(RECEIVES - 3));
        assertEquals(RECEIVES, queue.query().maxWorkRequests());
        queue.resize(RECEIVES - 2);
        queue.resize(RECEIVES);
        queue.postReceive(ReceiveRequest.of(7));
        queue.postReceive(ReceiveRequest.of(8));
        queue.armLimit(RECEIVES);
        expectRefused(ErrorCode.EINVAL, () -> queue.resize(RECEIVES - 1));
        expectRefused(ErrorCode.EINVAL, () -> queue.resize(0));
        assertEquals(RECEIVES, queue.query().limit());
        bed.expectNoEvents();
    }

    private static void badLimit(ContractBed bed) {
        SharedReceiveQueue queue = fill(bed, RECEIVES);
        queue.armLimit(RECEIVES);
        expectRefused(ErrorCode.EINVAL, () -> queue.armLimit(queue.query().maxWorkRequests() + 1));
        expectRefused(ErrorCode.EINVAL, () -> queue.armLimit(-1));
        assertEquals(RECEIVES, queue.query().limit());
        queue.armLimit(0);
        assertEquals(0, queue.query().limit());
        bed.expectNoEvents();
    }

    private static void limitAtCreation(ContractBed bed) {
        SharedReceiveQueue queue = bed.closing(
                bed.domain(0).createSharedReceiveQueue(new SharedReceiveQueueAttributes(RECEIVES, ELEMENTS, RECEIVES)));
        assertEquals(0, queue.query().limit());
        bed.expectNoEvents();
    }

    private static void limitWhileBelow(ContractBed bed) {
        SharedReceiveQueue queue = fill(bed, 2);
        queue.armLimit(3);
        bed.expectEvent(bed.device(0), AsyncEventType.SRQ_LIMIT_REACHED, queue.number());
        assertEquals(0, queue.query().limit());
        bed.expectNoEvents();
    }

    private static void busy(ContractBed bed) {
        SharedPairs shared = new SharedPairs(bed, RECEIVES, 2, PairPlan.RELIABLE);
        RdmaException refusal =
                expectRefused(ErrorCode.EBUSY, () -> shared.queue().close());
        for (int i = 0; i < 2; i++) {
            QueuePair queuePair = shared.pair(i).b().queuePair();
            assertTrue(String.valueOf(refusal.getMessage()).contains(queuePair.toString()), refusal::getMessage);
            queuePair.close();
        }
        shared.queue().close();
    }

    private static void ownSizes(ContractBed bed) {
        SharedReceiveQueue queue = make(bed);
        QueuePair queuePair = bed.closing(bed.domain(0)
                .createQueuePair(on(bed, 0, queue)
                        .maxReceiveWorkRequests(Integer.MAX_VALUE)
                        .maxReceiveScatterGather(Integer.MAX_VALUE)));
        assertEquals(0, queuePair.capabilities().maxReceiveWorkRequests());
        assertEquals(0, queuePair.capabilities().maxReceiveScatterGather());
    }
}
