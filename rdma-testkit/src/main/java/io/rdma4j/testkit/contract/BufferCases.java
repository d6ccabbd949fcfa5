package io.rdma4j.testkit.contract;

import static io.rdma4j.testkit.contract.Opening.BIND;
import static io.rdma4j.verbs.WorkCompletionStatus.MW_BIND_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.REM_ACCESS_ERR;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rdma4j.testkit.contract.Opening.Target;
import io.rdma4j.testkit.verbs.HostMemory;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryWindow;
import io.rdma4j.verbs.MemoryWindowBinding;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import java.util.ArrayList;
import java.util.List;

/** Ranges: before, behind, empty. */
final class BufferCases {
    private static final int BYTES = 4_096;

    private BufferCases() {}

    /** READ or WRITE of a range that begins at an offset of what is open. */
    private record Range(Operation operation, Opening opening, long offset, int length) {
        static List<Range> of(List<Opening> openings, long offset, int length) {
            List<Range> ranges = new ArrayList<>();
            for (Operation operation : Operation.READ_WRITE) {
                for (Opening opening : openings) {
                    ranges.add(new Range(operation, opening, offset, length));
                }
            }
            return ranges;
        }
    }

    static List<ContractCase> cases() {
        List<Opening> all = List.of(Opening.values());
        return List.of(
                ContractCase.of("buffer/RegisterZeroByteMr", "allowed")
                        .covers(Feature.ODD_REGIONS)
                        .run(bed -> assertEquals(
                                0,
                                bed.closing(bed.domain(0).registerMemory(HostMemory.allocate(0)))
                                        .length())),
                sendNothing("buffer/SendZeroByte", 0, false),
                sendNothing("buffer/SendZeroByteFromZeroByteMr", 0, true),
                sendNothing("buffer/SendZeroByteOutsideMr", BYTES, false),
                sendNothing("buffer/SendZeroByteOutsideZeroByteMr", BYTES, true),
                exceed("buffer/ExceedFront", Range.of(all, -1, 64)),
                exceed("buffer/ExceedRear", Range.of(all, BYTES - 63, 64)),
                nothing("buffer/ZeroByte", Range.of(all, 0, BYTES)),
                nothing("buffer/ZeroByteOutside", Range.of(all, 2 * BYTES, BYTES)),
                nothing("buffer/ZeroByteOfZeroByteMr", Range.of(List.of(Opening.REGION), 0, 0)),
                nothing("buffer/ZeroByteOutsideZeroByteMr", Range.of(List.of(Opening.REGION), BYTES, 0)),
                ContractCase.of("buffer/ZeroByteInvalidRKey", "S: nothing is checked")
                        .covers(Feature.ZERO_LENGTH)
                        .each(Operation.READ_WRITE, (bed, operation) -> {
                            Pair pair = bed.pair();
                            pair.a()
                                    .post(operation.request(
                                            1,
                                            pair.a().slice(0, 0),
                                            12,
                                            pair.b().badKey()));
                            pair.a().expectSent(1);
                        }),
                bindBeyond("buffer/MwBindExceedFront", -1),
                bindBeyond("buffer/MwBindExceedRear", 1));
    }

    private static ContractCase sendNothing(String id, long offset, boolean emptyRegion) {
        return ContractCase.of(id, "S, S")
                .covers(Feature.ZERO_LENGTH, Feature.ODD_REGIONS)
                .run(bed -> {
                    Pair pair = bed.pair();
                    MemoryRegion region = emptyRegion
                            ? bed.closing(pair.a().domain().registerMemory(HostMemory.allocate(0)))
                            : pair.a().region();
                    ScatterGatherElement element =
                            new ScatterGatherElement(region.address() + offset, 0, region.localKey());
                    pair.b()
                            .queuePair()
                            .postReceive(ReceiveRequest.of(100, pair.b().slice(0, 8)));
                    pair.a().post(Send.of(1, element).signaled());
                    pair.a().expectSent(1);
                    assertEquals(0, pair.b().expectReceived(100).byteLength());
                    pair.b().expectUntouched();
                });
    }

    private static ContractCase exceed(String id, List<Range> ranges) {
        return ContractCase.of(id, "REM_ACCESS_ERR, nothing moved")
                .covers(Feature.RANGE_CHECK, Feature.WINDOW_1, Feature.WINDOW_2)
                .each(ranges, (bed, range) -> {
                    Pair pair = bed.pair();
                    End a = pair.a();
                    Target target = range.opening().open(bed, pair.b(), BYTES, Opening.ALL);
                    a.post(range.operation()
                            .request(1, a.slice(0, range.length()), target.address() + range.offset(), target.key()));
                    a.expectSent(1, REM_ACCESS_ERR);
                    a.expectUntouched();
                    for (int i = 0; i < BYTES; i += Long.BYTES) {
                        assertEquals(0, target.memory().getLong(i));
                    }
                });
    }

    private static ContractCase nothing(String id, List<Range> ranges) {
        return ContractCase.of(id, "the operation succeeds")
                .covers(Feature.ZERO_LENGTH, Feature.ODD_REGIONS)
                .each(ranges, (bed, range) -> {
                    Pair pair = bed.pair();
                    End a = pair.a();
                    Target target = range.opening().open(bed, pair.b(), range.length(), Opening.ALL);
                    a.post(range.operation()
                            .request(1, a.slice(0, 0), target.address() + range.offset(), target.key()));
                    a.expectSent(1);
                    a.expectUntouched();
                });
    }

    private static ContractCase bindBeyond(String id, int offset) {
        return ContractCase.of(id, "MW_BIND_ERR")
                .covers(Feature.WINDOW_1, Feature.WINDOW_2)
                .each(Opening.WINDOWS, (bed, kind) -> {
                    Pair pair = bed.pair();
                    MemoryRegion region = Opening.windowed(bed, pair.b(), HostMemory.allocate(BYTES));
                    MemoryWindow window = kind.allocate(bed, pair.b());
                    MemoryWindowBinding binding = MemoryWindowBinding.of(region, offset, BYTES, AccessFlag.REMOTE_READ);
                    Opening.post(pair.b().queuePair(), window, binding, true);
                    pair.b().expectSent(BIND, MW_BIND_ERR);
                });
    }
}
