package io.rdma4j.core.rc;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.verbs.FetchAndAdd;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.SendRequest;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests that fail without having taken a receive are answered like all others (§8.1). */
class ErrorsWithoutReceiveTest {
    private static final long VA = 0x8001;
    private static final int KEY = 0xABCD;

    @ParameterizedTest
    @DisplayName(
            "bug/27: a request that takes no receive and cannot be executed is NAKed at once, with or without AckReq")
    @CsvSource({
        "WRITE_ONLY psn=500 va=0x10000 key=0xbeef dma=4 len=4, 0x62, QP_ACCESS_ERR",
        "WRITE_ONLY psn=500 va=0x10000 key=0xbeef dma=4 len=4 A, 0x62, QP_ACCESS_ERR",
        "WRITE_FIRST psn=500 va=0x10000 key=0xbeef dma=400 len=256, 0x62, QP_ACCESS_ERR",
        "READ_REQUEST psn=500 va=0x10000 key=mr dma=0x80000001, 0x61, QP_REQ_ERR",
        "READ_REQUEST psn=500 va=0x10000 key=0xbeef dma=4, 0x62, QP_ACCESS_ERR",
        "WRITE_FIRST psn=500 va=0x10000 key=mr dma=400 len=128, 0x61, QP_REQ_ERR",
        "FETCH_ADD psn=500 va=0x10004 key=mr, 0x61, QP_REQ_ERR",
        "COMPARE_SWAP psn=500 va=0x10000 key=0xbeef, 0x62, QP_ACCESS_ERR"
    })
    void responder(String line, String syndrome, String event) {
        try (Tape tape = new Tape()) {
            tape.in(line).out("ACK psn=500 syn=" + syndrome + " msn=0").events(event);
            assertThat(tape.time()).as("ns that passed").isZero();
            tape.state(QueuePairState.ERR);
        }
    }

    @Test
    @DisplayName("bug/27: such a NAK ends its request at once, not when retries run out")
    void requester() {
        try (Tape outer = new Tape()) {
            for (SendRequest request : List.of(
                    RdmaWrite.of(1, outer.at(0, 4)).to(VA, KEY),
                    RdmaRead.of(1, outer.at(0, 4)).from(VA, KEY),
                    FetchAndAdd.of(1, outer.at(0, 8), 1).at(VA, KEY))) {
                for (String syndrome : List.of("0x61", "0x62", "0x63")) {
                    try (Tape tape = new Tape()) {
                        tape.post(request).in("ACK psn=100 syn=" + syndrome);
                        assertThat(tape.sent()).hasSize(1);
                        String status = switch (syndrome) {
                            case "0x61" -> "REM_INV_REQ_ERR";
                            case "0x62" -> "REM_ACCESS_ERR";
                            default -> "REM_OP_ERR";
                        };
                        tape.sendDone("1 " + status).state(QueuePairState.ERR);
                        assertThat(tape.time()).as("ns that passed").isZero();
                    }
                }
            }
        }
    }
}
