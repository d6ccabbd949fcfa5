package io.rdma4j.testkit.contract;

import static io.rdma4j.testkit.contract.ContractBed.expectRefused;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.MemoryWindowType;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.SharedReceiveQueueAttributes;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;

/** Protection domains: children, and what a closed one refuses. */
final class PdCases {
    private PdCases() {}

    static List<ContractCase> cases() {
        return List.of(
                ContractCase.of("pd/AllocPd", "made and freed; it knows its device")
                        .covers(Feature.PD)
                        .run(bed -> {
                            ProtectionDomain domain = bed.device(0).allocateProtectionDomain();
                            assertSame(bed.device(0), domain.device());
                            domain.close();
                            domain.close();
                        }),
                refCount(
                        "pd/QpRefCount",
                        (bed, domain) -> domain.createQueuePair(QueuePairConfig.reliable(
                                bed.closing(bed.device(0).createCompletionQueue(4))))),
                refCount(
                        "pd/AhRefCount",
                        (bed, domain) -> domain.createAddressHandle(
                                AddressVector.of(bed.device(0).gid()))),
                closed(
                        "pd/AllocQpWithInvalidPd",
                        (bed, domain) -> domain.createQueuePair(QueuePairConfig.reliable(
                                bed.closing(bed.device(0).createCompletionQueue(4))))),
                closed("pd/AllocMrWithInvalidPd", (bed, domain) -> domain.registerMemory(ByteBuffer.allocateDirect(8))),
                closed(
                        "pd/AllocMwWithInvalidPd",
                        (bed, domain) -> domain.allocateMemoryWindow(MemoryWindowType.TYPE_2)),
                closed(
                        "pd/CreateSrqWithInvalidPd",
                        (bed, domain) -> domain.createSharedReceiveQueue(SharedReceiveQueueAttributes.of(4, 1))),
                closed(
                        "pd/CreateAhWithInvalidPd",
                        (bed, domain) -> domain.createAddressHandle(
                                AddressVector.of(bed.device(0).gid()))));
    }

    private static ContractCase refCount(String id, BiFunction<ContractBed, ProtectionDomain, AutoCloseable> maker) {
        return ContractCase.of(
                        id, "a domain in use is not freed: EBUSY, naming the child; freed when the child is gone")
                .covers(Feature.PD)
                .run(bed -> {
                    ProtectionDomain domain = bed.closing(bed.device(0).allocateProtectionDomain());
                    AutoCloseable child = bed.closing(maker.apply(bed, domain));
                    String words = String.valueOf(
                            expectRefused(ErrorCode.EBUSY, domain::close).getMessage());
                    assertTrue(words.contains(child.toString()), words);
                    // The bed closes the child first, and then the domain, which must work.
                });
    }

    private static ContractCase closed(String id, BiFunction<ContractBed, ProtectionDomain, AutoCloseable> maker) {
        return ContractCase.of(id, "a domain that is freed makes nothing: EBADF or EINVAL")
                .covers(Feature.PD, Feature.BAD_ARGUMENTS)
                .run(bed -> {
                    ProtectionDomain domain = bed.device(0).allocateProtectionDomain();
                    domain.close();
                    expectRefused(Set.of(ErrorCode.EBADF, ErrorCode.EINVAL), () -> maker.apply(bed, domain));
                });
    }
}
