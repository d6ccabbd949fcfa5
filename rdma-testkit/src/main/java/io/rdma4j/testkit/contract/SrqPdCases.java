package io.rdma4j.testkit.contract;

import static io.rdma4j.testkit.contract.ContractBed.expectRefused;
import static io.rdma4j.verbs.WorkCompletionStatus.LOC_PROT_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.REM_OP_ERR;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rdma4j.testkit.verbs.HostMemory;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.AsyncEventType;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.RdmaWriteWithImmediate;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SharedReceiveQueue;
import io.rdma4j.verbs.SharedReceiveQueueAttributes;
import io.rdma4j.verbs.WorkCompletionOpcode;
import java.nio.ByteBuffer;
import java.util.List;

/** Shared receive queues and protection domains: that of the queue, and that of the queue pair. */
final class SrqPdCases {
    private static final int LENGTH = 64;

    private SrqPdCases() {}

    static List<ContractCase> cases() {
        return List.of(
                of("pd/SrqRefCount", "a domain with a shared receive queue is EBUSY, until that is closed")
                        .covers(Feature.PD)
                        .run(SrqPdCases::busy),
                of("pd/CreateSrq", "a queue pair takes a shared receive queue of another domain")
                        .run(bed -> elsewhere(bed)),
                of("pd/SrqRecvMrSrqMatch", "S with memory of the queue's domain, which is not the queue pair's")
                        .covers(Feature.PD_ISOLATION)
                        .run(SrqPdCases::memoryOfTheQueue),
                of("pd/SrqRecvMrSrqMismatch", "L REM_OP_ERR, R LOC_PROT_ERR with memory of the queue pair's domain")
                        .covers(Feature.PD_ISOLATION, Feature.ERROR_TABLE)
                        .run(SrqPdCases::memoryOfTheQueuePair),
                of("pd/QpSrqPdMismatchWriteWithImm", "S: the remote key is that of the queue pair's domain")
                        .covers(Feature.PD_ISOLATION, Feature.WRITE)
                        .run(SrqPdCases::writeWithImmediate));
    }

    private static ContractCase.Builder of(String id, String expectation) {
        return ContractCase.of(id, expectation).covers(Feature.SRQ_PD);
    }

    private static void busy(ContractBed bed) {
        ProtectionDomain domain = bed.closing(bed.device(0).allocateProtectionDomain());
        SharedReceiveQueue queue = domain.createSharedReceiveQueue(SharedReceiveQueueAttributes.of(4, 1));
        expectRefused(ErrorCode.EBUSY, domain::close);
        queue.postReceive(ReceiveRequest.of(1));
        queue.close();
        domain.close();
    }

    /** A pair whose end {@code b} takes its receives from a queue of a domain of its own. */
    private static SharedPairs elsewhere(ContractBed bed) {
        ProtectionDomain domain = bed.closing(bed.device(1).allocateProtectionDomain());
        SharedPairs shared = new SharedPairs(bed, domain, 4);
        shared.add(PairPlan.RELIABLE);
        return shared;
    }

    private static void memoryOfTheQueue(ContractBed bed) {
        SharedPairs shared = elsewhere(bed);
        Pair pair = shared.pair(0);
        ByteBuffer memory = HostMemory.allocate(LENGTH);
        MemoryRegion region =
                bed.closing(shared.queue().protectionDomain().registerMemory(memory, AccessFlag.LOCAL_WRITE));
        shared.queue().postReceive(ReceiveRequest.of(100, region.all()));
        pair.a().post(Send.of(1, pair.a().slice(0, LENGTH)).signaled());
        pair.a().expectSent(1);
        pair.b().expectReceived(100);
        byte[] arrived = new byte[LENGTH];
        memory.get(0, arrived);
        assertArrayEquals(pair.a().bytes(0, LENGTH), arrived);
    }

    private static void memoryOfTheQueuePair(ContractBed bed) {
        SharedPairs shared = elsewhere(bed);
        Pair pair = shared.pair(0);
        shared.queue().postReceive(ReceiveRequest.of(100, pair.b().slice(0, LENGTH)));
        pair.a().post(Send.of(1, pair.a().slice(0, LENGTH)).signaled());
        pair.a().expectSent(1, REM_OP_ERR);
        pair.b().expectReceived(100, LOC_PROT_ERR);
        pair.b().expectUntouched();
        bed.expectEvent(
                pair.b().device(),
                AsyncEventType.QP_LAST_WQE_REACHED,
                pair.b().queuePair().number());
    }

    private static void writeWithImmediate(ContractBed bed) {
        SharedPairs shared = elsewhere(bed);
        Pair pair = shared.pair(0);
        shared.queue().postReceive(ReceiveRequest.of(100));
        pair.a()
                .post(RdmaWriteWithImmediate.of(1, 7, pair.a().slice(0, LENGTH))
                        .to(pair.b().address(0), pair.b().key())
                        .signaled());
        pair.a().expectSent(1);
        assertEquals(
                WorkCompletionOpcode.RECV_RDMA_WITH_IMM,
                pair.b().expectReceived(100).opcode());
        Pair.expectSame(pair.a(), 0, pair.b(), 0, LENGTH);
    }
}
