package io.rdma4j.testkit.scenario;

import static io.rdma4j.testkit.scenario.ErrorBed.FAILING;
import static io.rdma4j.testkit.scenario.ErrorBed.OPTIONS;
import static io.rdma4j.testkit.scenario.TwoNodes.PSN_A;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.wire.Opcode;
import io.rdma4j.testkit.fabric.TraceEntry;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.FetchAndAdd;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** §8.2: what a requester finds wrong itself, as both sides and the wire show it. */
class RcRequesterErrorTableTest {
    private static ScatterGatherElement unknownKey(ErrorBed bed) {
        return new ScatterGatherElement(bed.nodes.a.region.address(), 8, bed.nodes.a.region.localKey() ^ 0x100);
    }

    private static ScatterGatherElement foreign(ErrorBed bed) {
        return bed.region(bed.nodes.a, true, AccessFlag.LOCAL_WRITE).slice(0, 8);
    }

    private static ScatterGatherElement outside(ErrorBed bed) {
        return new ScatterGatherElement(bed.nodes.a.region.address() - 1, 8, bed.nodes.a.region.localKey());
    }

    private static ScatterGatherElement readOnly(ErrorBed bed) {
        return bed.region(bed.nodes.a, false).slice(0, 8);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"gather", "sinks"})
    @DisplayName("§8.2: local memory is refused: LOC_PROT_ERR; the responder hears nothing of it, or has answered")
    void localProtection(ErrorRow row) {
        ErrorRowCheck.run(row);
    }

    static Stream<ErrorRow> gather() {
        return Stream.of(
                gather("unknown key", RcRequesterErrorTableTest::unknownKey),
                gather("another domain", RcRequesterErrorTableTest::foreign),
                gather("beyond its region", RcRequesterErrorTableTest::outside));
    }

    private static ErrorRow gather(String what, Function<ErrorBed, ScatterGatherElement> element) {
        return ErrorRow.of(
                        "SEND from " + what,
                        bed -> {
                            bed.connect();
                            bed.post(Send.of(FAILING, element.apply(bed)));
                        },
                        WorkCompletionStatus.LOC_PROT_ERR)
                .because("element 0");
    }

    static Stream<ErrorRow> sinks() {
        return Stream.of(
                        sink("unknown key", RcRequesterErrorTableTest::unknownKey),
                        sink("another domain", RcRequesterErrorTableTest::foreign),
                        sink("beyond its region", RcRequesterErrorTableTest::outside),
                        sink("memory that is not writable", RcRequesterErrorTableTest::readOnly))
                .flatMap(rows -> rows);
    }

    private static Stream<ErrorRow> sink(String what, Function<ErrorBed, ScatterGatherElement> element) {
        return Stream.of(
                ErrorRow.of(
                        "READ into " + what,
                        bed -> {
                            bed.connect();
                            bed.post(RdmaRead.of(FAILING, element.apply(bed)).from(bed.remote(0), bed.key()));
                        },
                        WorkCompletionStatus.LOC_PROT_ERR),
                ErrorRow.of(
                        "atomic into " + what,
                        bed -> {
                            bed.connect();
                            bed.post(FetchAndAdd.of(FAILING, element.apply(bed), 1)
                                    .at(bed.remote(0), bed.key()));
                        },
                        WorkCompletionStatus.LOC_PROT_ERR));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"lengths", "responses", "bothBad"})
    @DisplayName("§8.2: lengths, malformed responses, an overrun, and which error wins when both sides are bad")
    void others(ErrorRow row) {
        ErrorRowCheck.run(row);
    }

    static Stream<ErrorRow> lengths() {
        return Stream.of(
                ErrorRow.of(
                        "message of more than 2^31 bytes",
                        bed -> {
                            bed.connect();
                            ScatterGatherElement half = new ScatterGatherElement(0, 1L << 31, 0);
                            bed.post(Send.of(FAILING, half, bed.local(1)));
                        },
                        WorkCompletionStatus.LOC_LEN_ERR),
                ErrorRow.of(
                        "atomic whose sink is not 8 bytes",
                        bed -> {
                            bed.connect();
                            bed.post(FetchAndAdd.of(FAILING, bed.local(16), 1).at(bed.remote(0), bed.key()));
                        },
                        WorkCompletionStatus.LOC_LEN_ERR),
                ErrorRow.of(
                        "READ with max_rd_atomic 0",
                        bed -> {
                            bed.connect(OPTIONS.maxReadAtomic(0), OPTIONS);
                            bed.post(RdmaRead.of(FAILING, bed.local(8)).from(bed.remote(0), bed.key()));
                        },
                        WorkCompletionStatus.LOC_QP_OP_ERR));
    }

    static Stream<ErrorRow> responses() {
        return Stream.of(ErrorRow.of(
                        "READ responses cut for another MTU",
                        bed -> {
                            bed.connect(OPTIONS, OPTIONS.pathMtu(PathMtu.MTU_2048));
                            bed.post(RdmaRead.of(FAILING, bed.local(3000)).from(bed.remote(0), bed.key()));
                        },
                        WorkCompletionStatus.BAD_RESP_ERR)
                .because("carries 2048 bytes instead of 1024"));
    }

    static Stream<ErrorRow> bothBad() {
        return Stream.of(
                ErrorRow.of(
                        "WRITE, both keys bad: data are gathered first",
                        bed -> {
                            bed.connect();
                            bed.post(RdmaWrite.of(FAILING, unknownKey(bed)).to(bed.remote(0), bed.key() ^ 0x100));
                        },
                        WorkCompletionStatus.LOC_PROT_ERR),
                ErrorRow.fatal(
                                "READ, both keys bad: the remote fails first",
                                bed -> {
                                    bed.connect().receives();
                                    bed.post(RdmaRead.of(FAILING, unknownKey(bed))
                                            .from(bed.remote(0), bed.key() ^ 0x100));
                                },
                                0x62,
                                PSN_A)
                        .flushed()
                        .event("QP_ACCESS_ERR"),
                ErrorRow.fatal(
                                "atomic, both keys bad: the remote fails first",
                                bed -> {
                                    bed.connect().receives();
                                    bed.post(FetchAndAdd.of(FAILING, unknownKey(bed), 1)
                                            .at(bed.remote(0), bed.key() ^ 0x100));
                                },
                                0x62,
                                PSN_A)
                        .flushed()
                        .event("QP_ACCESS_ERR"));
    }

    @Test
    @DisplayName("§8.2: an atomic with a bad sink has been executed; a SEND with a bad source has sent nothing")
    void whatHasHappenedMeanwhile() {
        try (ErrorBed bed = new ErrorBed()) {
            bed.connect();
            long before = bed.nodes.b.memory.getLong(ErrorBed.TARGET);
            bed.post(FetchAndAdd.of(FAILING, readOnly(bed), 5).at(bed.remote(0), bed.key()));
            bed.nodes.runToRest();
            assertThat(bed.nodes.b.memory.getLong(ErrorBed.TARGET)).isEqualTo(before + 5);
        }
        try (ErrorBed bed = new ErrorBed()) {
            bed.connect();
            bed.post(Send.of(FAILING, unknownKey(bed)));
            bed.nodes.runToRest();
            assertThat(bed.nodes.requestPsns(bed.nodes.a)).isEmpty();
        }
    }

    @Test
    @DisplayName("§8.2, §10: the send completion queue overruns: CQ_ERR and QP_FATAL, the responder stays")
    void overrun() {
        try (ErrorBed bed = new ErrorBed(1, 16)) {
            bed.connect().receives();
            bed.requester.postSend(Send.of(1).signaled());
            bed.requester.postSend(Send.of(2).signaled());
            bed.nodes.runToRest();
            assertThat(ErrorBed.events(bed.nodes.a)).containsExactly("CQ_ERR", "QP_FATAL");
            assertThat(bed.sent()).extracting("workRequestId").containsExactly(1L);
            assertThat(bed.requester.state().name()).isEqualTo("ERR");
            assertThat(bed.responder.state().name()).isEqualTo("RTS");
            assertThat(bed.received()).hasSize(2).allMatch(done -> done.isSuccess());
            assertThat(ErrorBed.events(bed.nodes.b)).isEmpty();
            assertThat(bed.nodes.sent(bed.nodes.b, Opcode.RC_ACKNOWLEDGE))
                    .extracting(TraceEntry::arrived)
                    .containsOnly(true);
        }
    }
}
