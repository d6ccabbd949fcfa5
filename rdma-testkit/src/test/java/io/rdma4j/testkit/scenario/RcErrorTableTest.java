package io.rdma4j.testkit.scenario;

import static io.rdma4j.testkit.scenario.ErrorBed.FAILING;
import static io.rdma4j.testkit.scenario.ErrorBed.OPTIONS;
import static io.rdma4j.testkit.scenario.TwoNodes.PSN_A;

import io.rdma4j.testkit.fabric.FrameRule;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.CompareAndSwap;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.FetchAndAdd;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.RdmaWriteWithImmediate;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendRequest;
import io.rdma4j.verbs.SendWithInvalidate;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** §8.1, §8.3, §8.5: what a responder finds wrong, as both sides and the wire show it. */
class RcErrorTableTest {
    /** How a one-sided request is made from an address and a key. */
    private record Operation(String name, AccessFlag right, BiFunction<ErrorBed, long[], SendRequest> make) {
        SendRequest at(ErrorBed bed, long address, int key) {
            return make.apply(bed, new long[] {address, key});
        }
    }

    private static final List<Operation> ONE_SIDED = List.of(
            new Operation(
                    "WRITE",
                    AccessFlag.REMOTE_WRITE,
                    (bed, to) -> RdmaWrite.of(FAILING, bed.local(2000)).to(to[0], (int) to[1])),
            new Operation(
                    "READ",
                    AccessFlag.REMOTE_READ,
                    (bed, to) -> RdmaRead.of(FAILING, bed.local(2000)).from(to[0], (int) to[1])),
            new Operation(
                    "FETCH&ADD",
                    AccessFlag.REMOTE_ATOMIC,
                    (bed, to) -> FetchAndAdd.of(FAILING, bed.local(8), 1).at(to[0], (int) to[1])),
            new Operation(
                    "COMPARE&SWAP",
                    AccessFlag.REMOTE_ATOMIC,
                    (bed, to) -> CompareAndSwap.of(FAILING, bed.local(8), 0, 1).at(to[0], (int) to[1])));

    private static SendRequest write(ErrorBed bed, int bytes) {
        return RdmaWrite.of(FAILING, bed.local(bytes)).to(bed.remote(0), bed.key());
    }

    private static SendRequest send(ErrorBed bed, int bytes) {
        return Send.of(FAILING, bed.local(bytes));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"sequence", "lengths", "notAllowed", "tooMany"})
    @DisplayName("§8.1: an invalid request: NAK 0x61, QP_REQ_ERR or the receive that it had taken, REM_INV_REQ_ERR")
    void invalidRequest(ErrorRow row) {
        ErrorRowCheck.run(row);
    }

    static Stream<ErrorRow> sequence() {
        return Stream.of(
                ErrorRow.fatal(
                                "opcode out of sequence, no receive taken",
                                bed -> {
                                    bed.connect().receives();
                                    bed.leaveHalf(write(bed, 2000));
                                    bed.post(send(bed, 10));
                                },
                                0x61,
                                PSN_A + 1)
                        .flushed()
                        .event("QP_REQ_ERR"),
                ErrorRow.fatal(
                                "opcode out of sequence, a receive taken",
                                bed -> {
                                    bed.connect().receives();
                                    bed.leaveHalf(send(bed, 2000));
                                    bed.post(write(bed, 10));
                                },
                                0x61,
                                PSN_A + 1)
                        .received("1001 REM_INV_REQ_ERR", "1002 WR_FLUSH_ERR"));
    }

    static Stream<ErrorRow> lengths() {
        ConnectOptions larger = OPTIONS.pathMtu(PathMtu.MTU_2048);
        return Stream.of(
                ErrorRow.fatal(
                                "WRITE packets longer than the MTU",
                                bed -> {
                                    bed.connect(larger, OPTIONS).receives();
                                    bed.post(write(bed, 4000));
                                },
                                0x61,
                                PSN_A)
                        .flushed()
                        .event("QP_REQ_ERR"),
                ErrorRow.fatal(
                                "SEND packets longer than the MTU",
                                bed -> {
                                    bed.connect(larger, OPTIONS).receives();
                                    bed.post(send(bed, 4000));
                                },
                                0x61,
                                PSN_A)
                        .received("1001 REM_INV_REQ_ERR", "1002 WR_FLUSH_ERR"),
                ErrorRow.fatal(
                                "SEND longer than its receive",
                                bed -> {
                                    bed.connect().receives();
                                    bed.post(send(bed, 4097));
                                },
                                0x61,
                                PSN_A + 4)
                        .received("1001 LOC_LEN_ERR", "1002 WR_FLUSH_ERR")
                        .because("SEND of 4097 bytes"),
                ErrorRow.fatal(
                                "unaligned atomic, whatever its key",
                                bed -> {
                                    bed.connect().receives();
                                    bed.post(FetchAndAdd.of(FAILING, bed.local(8), 1)
                                            .at(bed.remote(4), bed.key() ^ 0x100));
                                },
                                0x61,
                                PSN_A)
                        .flushed()
                        .event("QP_REQ_ERR"));
    }

    static Stream<ErrorRow> notAllowed() {
        return ONE_SIDED.stream()
                .map(operation -> ErrorRow.fatal(
                                operation.name + " that the queue pair does not allow",
                                bed -> {
                                    AccessFlag[] others = Stream.of(
                                                    AccessFlag.REMOTE_READ,
                                                    AccessFlag.REMOTE_WRITE,
                                                    AccessFlag.REMOTE_ATOMIC)
                                            .filter(right -> right != operation.right)
                                            .toArray(AccessFlag[]::new);
                                    bed.connect(OPTIONS, OPTIONS.access(others)).receives();
                                    bed.post(operation.at(bed, bed.remote(0), bed.key()));
                                },
                                0x61,
                                PSN_A)
                        .flushed()
                        .event("QP_REQ_ERR"));
    }

    static Stream<ErrorRow> tooMany() {
        return Stream.of(
                ErrorRow.fatal(
                                "READ to a responder without resources",
                                bed -> {
                                    bed.connect(OPTIONS, OPTIONS.maxReadAtomic(0))
                                            .receives();
                                    bed.post(RdmaRead.of(FAILING, bed.local(8)).from(bed.remote(0), bed.key()));
                                },
                                0x61,
                                PSN_A)
                        .flushed()
                        .event("QP_REQ_ERR"),
                ErrorRow.fatal(
                                "more unanswered atomics than the responder has resources",
                                bed -> {
                                    bed.connect(OPTIONS, OPTIONS.maxReadAtomic(1))
                                            .receives();
                                    bed.requester.postSend(
                                            FetchAndAdd.of(9, bed.local(8), 1).at(bed.remote(0), bed.key()));
                                    bed.post(FetchAndAdd.of(FAILING, bed.local(8), 1)
                                            .at(bed.remote(8), bed.key()));
                                },
                                0x61,
                                PSN_A + 1)
                        .flushed()
                        .event("QP_REQ_ERR"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badReceives")
    @DisplayName("§8.1: the memory of a receive is refused: NAK 0x63, LOC_PROT_ERR, REM_OP_ERR")
    void receiveMemory(ErrorRow row) {
        ErrorRowCheck.run(row);
    }

    private static ErrorRow badReceive(String what, Function<ErrorBed, ScatterGatherElement> element) {
        return ErrorRow.fatal(
                        "receive element: " + what,
                        bed -> {
                            bed.connect();
                            bed.receive(element.apply(bed));
                            bed.post(send(bed, 10));
                        },
                        0x63,
                        PSN_A)
                .received("1001 LOC_PROT_ERR");
    }

    static Stream<ErrorRow> badReceives() {
        return Stream.of(
                badReceive(
                        "unknown key",
                        bed -> new ScatterGatherElement(bed.remote(0), 64, bed.nodes.b.region.localKey() ^ 0x100)),
                badReceive(
                        "another domain",
                        bed -> bed.region(bed.nodes.b, true, AccessFlag.LOCAL_WRITE)
                                .all()),
                badReceive("not writable", bed -> bed.region(bed.nodes.b, false).all()),
                badReceive(
                        "beyond its region",
                        bed -> new ScatterGatherElement(
                                bed.nodes.b.region.address() - 1, 64, bed.nodes.b.region.localKey())));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"badKeys", "badKeysOfImmediate"})
    @DisplayName(
            "§8.1: a remote key is refused: NAK 0x62, QP_ACCESS_ERR or the receive that it had taken, REM_ACCESS_ERR")
    void remoteKey(ErrorRow row) {
        ErrorRowCheck.run(row);
    }

    static Stream<ErrorRow> badKeys() {
        return ONE_SIDED.stream()
                .flatMap(operation -> Stream.of(
                        badKey(operation, "unknown key", bed -> new long[] {bed.remote(0), bed.key() ^ 0x100}),
                        badKey(operation, "another domain", bed -> {
                            MemoryRegion foreign =
                                    bed.region(bed.nodes.b, true, AccessFlag.LOCAL_WRITE, operation.right);
                            return new long[] {foreign.address(), foreign.remoteKey()};
                        }),
                        badKey(operation, "right missing", bed -> {
                            AccessFlag other = operation.right == AccessFlag.REMOTE_READ
                                    ? AccessFlag.REMOTE_WRITE
                                    : AccessFlag.REMOTE_READ;
                            MemoryRegion region = bed.region(bed.nodes.b, false, AccessFlag.LOCAL_WRITE, other);
                            return new long[] {region.address(), region.remoteKey()};
                        }),
                        badKey(operation, "beyond its region", bed ->
                                new long[] {bed.nodes.b.region.address() - 8, bed.key()})));
    }

    private static ErrorRow badKey(Operation operation, String what, Function<ErrorBed, long[]> target) {
        return ErrorRow.fatal(
                        operation.name + ": " + what,
                        bed -> {
                            bed.connect().receives();
                            long[] to = target.apply(bed);
                            bed.post(operation.at(bed, to[0], (int) to[1]));
                        },
                        0x62,
                        PSN_A)
                .flushed()
                .event("QP_ACCESS_ERR")
                .because("with rkey 0x");
    }

    static Stream<ErrorRow> badKeysOfImmediate() {
        return Stream.of(
                ErrorRow.fatal(
                                "WRITE with immediate, one packet: the receive is taken",
                                bed -> {
                                    bed.connect().receives();
                                    bed.post(RdmaWriteWithImmediate.of(FAILING, 7, bed.local(10))
                                            .to(bed.remote(0), bed.key() ^ 0x100));
                                },
                                0x62,
                                PSN_A)
                        .received("1001 LOC_ACCESS_ERR", "1002 WR_FLUSH_ERR"),
                ErrorRow.fatal(
                                "WRITE with immediate, two packets: the receive would be taken by the last",
                                bed -> {
                                    bed.connect().receives();
                                    bed.post(RdmaWriteWithImmediate.of(FAILING, 7, bed.local(2000))
                                            .to(bed.remote(0), bed.key() ^ 0x100));
                                },
                                0x62,
                                PSN_A)
                        .flushed()
                        .event("QP_ACCESS_ERR"),
                ErrorRow.fatal(
                                "SEND with invalidate of a key that may not be",
                                bed -> {
                                    bed.connect().receives();
                                    bed.post(SendWithInvalidate.of(FAILING, bed.key(), bed.local(10)));
                                },
                                0x62,
                                PSN_A)
                        .received("1001 LOC_QP_OP_ERR", "1002 WR_FLUSH_ERR"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("overruns")
    @DisplayName("§8.1: the responder's completion queue overruns: NAK 0x63, CQ_ERR and QP_FATAL, REM_OP_ERR")
    void overrun(ErrorRow row) {
        ErrorRowCheck.run(row);
    }

    static Stream<ErrorRow> overruns() {
        return Stream.of(ErrorRow.fatal(
                        "completion queue of the responder",
                        bed -> {
                            bed.connect().receives();
                            bed.requester.postSend(Send.of(9));
                            bed.post(Send.of(FAILING));
                        },
                        0x63,
                        PSN_A + 1)
                .on(() -> new ErrorBed(16, 1))
                .received("1001 SUCCESS")
                .event("CQ_ERR", "QP_FATAL"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"silence", "exhausted"})
    @DisplayName(
            "§8.1, §4.4: no answer, or the same one for ever: RETRY_EXC_ERR, RNR_RETRY_EXC_ERR; the responder stays")
    void retriesRunOut(ErrorRow row) {
        ErrorRowCheck.run(row);
    }

    private static ErrorRow silent(QueuePairState state) {
        return ErrorRow.of(
                        "responder in " + state.name(),
                        bed -> {
                            bed.connect();
                            ErrorBed.move(bed.responder, QueuePairState.RESET);
                            if (state == QueuePairState.INIT || state == QueuePairState.ERR) {
                                bed.responder.modify(QueuePairAttributes.builder()
                                        .state(QueuePairState.INIT)
                                        .pkeyIndex(0)
                                        .port(1)
                                        .accessFlags()
                                        .build());
                            }
                            if (state == QueuePairState.ERR) {
                                ErrorBed.move(bed.responder, state);
                            }
                            bed.post(send(bed, 10));
                        },
                        WorkCompletionStatus.RETRY_EXC_ERR)
                .responderIn(state)
                .because("no acknowledgement in time");
    }

    static Stream<ErrorRow> silence() {
        return Stream.of(
                silent(QueuePairState.RESET),
                silent(QueuePairState.INIT),
                silent(QueuePairState.ERR),
                ErrorRow.of(
                        "wrong source address",
                        bed -> {
                            bed.connectResponderElsewhere();
                            bed.post(send(bed, 10));
                        },
                        WorkCompletionStatus.RETRY_EXC_ERR));
    }

    static Stream<ErrorRow> exhausted() {
        return Stream.of(
                ErrorRow.of(
                                "no receive, ever",
                                bed -> {
                                    bed.connect();
                                    bed.post(send(bed, 10));
                                },
                                WorkCompletionStatus.RNR_RETRY_EXC_ERR)
                        .naks("0x21 psn " + PSN_A, "0x21 psn " + PSN_A)
                        .vendor(0x21)
                        .because("no receive posted"),
                ErrorRow.of(
                                "PSN gap that is never filled: one NAK, then silence",
                                bed -> {
                                    bed.connect();
                                    bed.nodes.fabric.addRule(FrameRule.drop().psn(PSN_A));
                                    bed.post(write(bed, 2000));
                                },
                                WorkCompletionStatus.RETRY_EXC_ERR)
                        .naks("0x60 psn " + PSN_A));
    }
}
