package io.rdma4j.testkit.contract;

import static io.rdma4j.testkit.contract.ContractBed.expectRefused;
import static io.rdma4j.verbs.QueuePairState.ERR;
import static io.rdma4j.verbs.QueuePairState.INIT;
import static io.rdma4j.verbs.QueuePairState.RESET;
import static io.rdma4j.verbs.QueuePairState.RTS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.DeviceAttributes;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairCapabilities;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairType;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.Send;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Queue pairs: making, destroying, sizes. */
final class QpCases {
    private static final Set<ErrorCode> GONE = EnumSet.of(ErrorCode.ENOENT, ErrorCode.EINVAL, ErrorCode.EBADF);
    private static final int NUMBERS = 1 << 24;

    private QpCases() {}

    static List<ContractCase> cases() {
        return List.of(
                ContractCase.of("qp/Create", "domain, queues, type and sizes are right, the state is RESET")
                        .covers(Feature.QP_CREATE)
                        .run(QpCases::create),
                ContractCase.of("qp/CreateWithInlineMax", "if accepted, at least what was asked for")
                        .covers(Feature.QP_CREATE, Feature.INLINE)
                        .run(QpCases::inlineMax),
                ContractCase.of("qp/CreateWithInvalidSendCq", "a closed or foreign completion queue is refused")
                        .covers(Feature.QP_CREATE, Feature.BAD_ARGUMENTS, Feature.SEVERAL_CONTEXTS)
                        .run(bed -> badQueue(bed, true)),
                ContractCase.of("qp/CreateWithInvalidRecvCq", "a closed or foreign completion queue is refused")
                        .covers(Feature.QP_CREATE, Feature.BAD_ARGUMENTS, Feature.SEVERAL_CONTEXTS)
                        .run(bed -> badQueue(bed, false)),
                ContractCase.of("qp/ZeroSendWr", "a queue pair without a send queue is made")
                        .covers(Feature.QP_CREATE)
                        .run(QpCases::noSends),
                ContractCase.of("qp/MaxQpWr", "as many requests as the device says, but not more")
                        .covers(Feature.QP_CREATE, Feature.QUERY_DEVICE)
                        .run(QpCases::maxRequests),
                ContractCase.of("qp/MaxSge", "as many elements as the device says, but not more")
                        .covers(Feature.QP_CREATE, Feature.QUERY_DEVICE)
                        .run(QpCases::maxElements),
                ContractCase.of("qp/QueueRefs", "EBUSY when a completion queue in use is destroyed")
                        .covers(Feature.CQ)
                        .run(QpCases::queueInUse),
                ContractCase.of("qp/DeallocPdWithOutstandingQp", "EBUSY, naming the queue pair")
                        .covers(Feature.PD)
                        .run(QpCases::domainInUse),
                ContractCase.of("qp/ModifyInvalidQp", "ENOENT, EINVAL or EBADF")
                        .covers(Feature.BAD_ARGUMENTS)
                        .run(bed -> {
                            QueuePair gone = closed(bed);
                            expectRefused(GONE, () -> gone.modify(RcStateCases.init()));
                        }),
                ContractCase.of("qp/QueryInvalidQp", "ENOENT, EINVAL or EBADF")
                        .covers(Feature.BAD_ARGUMENTS)
                        .run(bed -> {
                            QueuePair gone = closed(bed);
                            expectRefused(GONE, gone::query);
                        }),
                ContractCase.of(
                                "qp/DestroyInvalidQp",
                                "ENOENT, EINVAL, or nothing, since closing again is allowed in Java")
                        .covers(Feature.BAD_ARGUMENTS)
                        .run(bed -> closed(bed).close()),
                ContractCase.of("qp/DestroyFromReset", "destroyed, and its domain is free")
                        .covers(Feature.QP_DESTROY)
                        .run(bed -> destroyFrom(bed, false)),
                ContractCase.of("qp/DestroyFromInit", "destroyed, and its domain is free")
                        .covers(Feature.QP_DESTROY)
                        .run(bed -> destroyFrom(bed, true)),
                ContractCase.of("qp/ReuseQp", "a queue pair that went to ERR works again after RESET")
                        .covers(Feature.QP_REUSE, Feature.QP_STATES)
                        .run(QpCases::reuse),
                ContractCase.of("qp/QpIdRollover", "numbers are not given twice in a row, and traffic goes on")
                        .covers(Feature.QP_NUMBERS, Feature.NO_LEAKS)
                        .run(QpCases::manyNumbers));
    }

    private static CompletionQueue queue(ContractBed bed) {
        return bed.closing(bed.device(0).createCompletionQueue(16));
    }

    private static void create(ContractBed bed) {
        CompletionQueue sends = queue(bed);
        CompletionQueue receives = queue(bed);
        QueuePairCapabilities asked = new QueuePairCapabilities(10, 20, 3, 2, 36);
        QueuePair qp = bed.closing(bed.domain(0)
                .createQueuePair(QueuePairConfig.reliable(sends, receives).capabilities(asked)));
        assertSame(bed.domain(0), qp.protectionDomain());
        assertSame(sends, qp.sendCompletionQueue());
        assertSame(receives, qp.receiveCompletionQueue());
        assertNull(qp.sharedReceiveQueue());
        assertEquals(QueuePairType.RC, qp.type());
        assertEquals(RESET, qp.state());
        assertEquals(RESET, qp.query().state());
        assertTrue(qp.number() > 1 && qp.number() < NUMBERS, () -> "number " + qp.number());
        QueuePairCapabilities got = qp.capabilities();
        assertTrue(got.maxSendWorkRequests() >= asked.maxSendWorkRequests());
        assertTrue(got.maxReceiveWorkRequests() >= asked.maxReceiveWorkRequests());
        assertTrue(got.maxSendScatterGather() >= asked.maxSendScatterGather());
        assertTrue(got.maxReceiveScatterGather() >= asked.maxReceiveScatterGather());
        assertTrue(got.maxInlineData() >= asked.maxInlineData());
        assertEquals(qp.number(), qp.localAddress().queuePairNumber());
        assertEquals(bed.device(0).gid(), qp.localAddress().gid());
    }

    private static void inlineMax(ContractBed bed) {
        QueuePairConfig config = QueuePairConfig.reliable(queue(bed));
        int most = bed.device(0).attributes().maxInlineData();
        for (int asked : new int[] {0, 1, 36, 512, 1_000, most, most + 1}) {
            try (QueuePair qp = bed.domain(0).createQueuePair(config.maxInlineData(asked))) {
                assertTrue(qp.capabilities().maxInlineData() >= asked, () -> asked + ": " + qp.capabilities());
            } catch (RdmaException e) {
                assertTrue(asked > most, () -> asked + ": " + e.getMessage());
                assertEquals(ErrorCode.EINVAL, e.code());
            }
        }
    }

    private static void badQueue(ContractBed bed, boolean isSend) {
        CompletionQueue good = queue(bed);
        CompletionQueue closed = bed.device(0).createCompletionQueue(16);
        closed.close();
        CompletionQueue foreign = bed.closing(bed.device(1).createCompletionQueue(16));
        ProtectionDomain domain = bed.domain(0);
        for (CompletionQueue bad : List.of(closed, foreign)) {
            QueuePairConfig config = isSend ? QueuePairConfig.reliable(bad, good) : QueuePairConfig.reliable(good, bad);
            expectRefused(GONE, () -> domain.createQueuePair(config));
        }
    }

    private static void noSends(ContractBed bed) {
        CompletionQueue queue = queue(bed);
        QueuePair qp =
                bed.domain(0).createQueuePair(QueuePairConfig.reliable(queue).maxSendWorkRequests(0));
        assertEquals(RESET, qp.state());
        qp.close();
    }

    private static void maxRequests(ContractBed bed) {
        DeviceAttributes limits = bed.device(0).attributes();
        int most = limits.maxQueuePairWorkRequests();
        QueuePairConfig config = QueuePairConfig.reliable(queue(bed))
                .maxSendScatterGather(1)
                .maxReceiveScatterGather(1)
                .maxInlineData(0);
        try (QueuePair sends = bed.domain(0).createQueuePair(config.maxSendWorkRequests(most))) {
            assertTrue(sends.capabilities().maxSendWorkRequests() >= most);
        }
        try (QueuePair receives = bed.domain(0).createQueuePair(config.maxReceiveWorkRequests(most))) {
            assertTrue(receives.capabilities().maxReceiveWorkRequests() >= most);
        }
        expectRefused(ErrorCode.EINVAL, () -> bed.domain(0).createQueuePair(config.maxSendWorkRequests(most + 1)));
        expectRefused(ErrorCode.EINVAL, () -> bed.domain(0).createQueuePair(config.maxReceiveWorkRequests(most + 1)));
    }

    private static void maxElements(ContractBed bed) {
        int most = bed.device(0).attributes().maxScatterGather();
        QueuePairConfig config = QueuePairConfig.reliable(queue(bed));
        try (QueuePair qp =
                bed.domain(0).createQueuePair(config.maxSendScatterGather(most).maxReceiveScatterGather(most))) {
            assertTrue(qp.capabilities().maxSendScatterGather() >= most);
            assertTrue(qp.capabilities().maxReceiveScatterGather() >= most);
        }
        expectRefused(ErrorCode.EINVAL, () -> bed.domain(0).createQueuePair(config.maxSendScatterGather(most + 1)));
        expectRefused(ErrorCode.EINVAL, () -> bed.domain(0).createQueuePair(config.maxReceiveScatterGather(most + 1)));
    }

    private static void queueInUse(ContractBed bed) {
        CompletionQueue sends = bed.device(0).createCompletionQueue(16);
        CompletionQueue receives = bed.device(0).createCompletionQueue(16);
        QueuePair qp = bed.domain(0).createQueuePair(QueuePairConfig.reliable(sends, receives));
        expectRefused(ErrorCode.EBUSY, sends::close);
        expectRefused(ErrorCode.EBUSY, receives::close);
        qp.close();
        sends.close();
        receives.close();
    }

    private static void domainInUse(ContractBed bed) {
        ProtectionDomain domain = bed.device(0).allocateProtectionDomain();
        QueuePair qp = domain.createQueuePair(QueuePairConfig.reliable(queue(bed)));
        expectRefused(ErrorCode.EBUSY, domain::close);
        assertEquals(RESET, qp.state());
        qp.close();
        domain.close();
    }

    private static QueuePair closed(ContractBed bed) {
        QueuePair qp = bed.domain(0).createQueuePair(QueuePairConfig.reliable(queue(bed)));
        qp.close();
        return qp;
    }

    private static void destroyFrom(ContractBed bed, boolean isInit) {
        ProtectionDomain domain = bed.device(0).allocateProtectionDomain();
        QueuePair qp = domain.createQueuePair(QueuePairConfig.reliable(queue(bed)));
        if (isInit) {
            qp.modify(RcStateCases.init());
            assertEquals(INIT, qp.state());
        }
        qp.close();
        domain.close();
    }

    private static void reuse(ContractBed bed) {
        Pair pair = bed.pair();
        for (int round = 0; round < 3; round++) {
            pair.b().postReceive(100, 0, 64);
            pair.a().post(Send.of(1, pair.a().slice(64, 64)).signaled());
            pair.a().expectSent(1);
            pair.b().expectReceived(100);
            pair.a().move(ERR);
            pair.b().move(ERR);
            pair.a().move(RESET);
            pair.b().move(RESET);
            pair.expectState(RESET);
            pair.connect();
            pair.expectState(RTS);
        }
    }

    private static void manyNumbers(ContractBed bed) {
        int count = bed.limited("queue pairs", NUMBERS, 5_000, 500);
        QueuePairConfig config =
                QueuePairConfig.reliable(queue(bed)).capabilities(new QueuePairCapabilities(1, 1, 1, 1, 0));
        int previous = 0;
        for (int i = 0; i < count; i++) {
            try (QueuePair qp = bed.domain(0).createQueuePair(config)) {
                assertNotEquals(previous, qp.number());
                previous = qp.number();
            }
        }
        Pair pair = bed.pair();
        pair.a().post(Operation.WRITE.between(1, pair.a(), pair.b()));
        pair.a().expectSent(1);
    }
}
