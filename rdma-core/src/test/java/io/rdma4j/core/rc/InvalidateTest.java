package io.rdma4j.core.rc;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.qp.Counter;
import io.rdma4j.core.tape.PacketText;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryRegionConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendWithInvalidate;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** SEND with invalidate (§7.2(8), §8.1, §11.1): first the data, then the key ends. */
class InvalidateTest {
    private static final long OPEN = 0x40000;

    private final Tape tape = new Tape();
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(4096);
    private final MemoryRegion open = tape.register(
            "open",
            MemoryRegionConfig.of(bytes)
                    .iova(OPEN)
                    .access(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ)
                    .remoteInvalidate());

    @AfterEach
    void nothingMore() {
        open.close();
        tape.close();
    }

    private String key() {
        return "inv=0x" + Integer.toHexString(open.remoteKey());
    }

    @Test
    @DisplayName("§2: the last packet of a message names the key")
    void sentPackets() {
        tape.post(
                SendWithInvalidate.of(1, 0xCAFE0001, tape.at(0, 300)).solicited(),
                SendWithInvalidate.of(2, 7).signaled());
        tape.out(
                "SEND_FIRST psn=100 len=256",
                "SEND_LAST_WITH_INVALIDATE psn=101 inv=0xcafe0001 len=44 A SE",
                "SEND_ONLY_WITH_INVALIDATE psn=102 inv=0x7 A");
        tape.in("ACK psn=102").sendDone("2 SUCCESS SEND 0");
    }

    @Test
    @DisplayName("§7.2(8), §11.1: the receive tells the key, and the key is refused from then on")
    void invalidates() {
        tape.receive(1, tape.at(0, 600)).receive(2);
        tape.in("WRITE_ONLY psn=500 va=0x40000 key=open dma=4 len=4", "SEND_FIRST psn=501 len=256");
        tape.in("SEND_LAST_WITH_INVALIDATE psn=502 inv=open len=9 A").out("ACK psn=502 syn=0x1f msn=2");
        tape.receiveDone("1 SUCCESS RECV 265 " + key());
        assertThat(tape.memory(256, 9)).isEqualTo(PacketText.payload(502, 9));
        tape.in("WRITE_ONLY psn=503 va=0x40000 key=open dma=4 len=4").out("ACK psn=503 syn=0x62 msn=2");
        tape.events("QP_ACCESS_ERR").receiveDone("2 WR_FLUSH_ERR").state(QueuePairState.ERR);
        assertThat(tape.history(tape.receiveQueue).get(1).cause()).contains("has been invalidated");
        bytes.get(0, new byte[4]);
        assertThat(bytes.get(0)).as("what was written before").isEqualTo(PacketText.payloadByte(500, 0));
    }

    @Test
    @DisplayName("§11.1: the local key is dead too")
    void localKey() {
        tape.receive(1).in("SEND_ONLY_WITH_INVALIDATE psn=500 inv=open");
        tape.receiveDone("1 SUCCESS RECV 0 " + key());
        tape.post(Send.of(2, open.slice(0, 4))).sendDone("2 LOC_PROT_ERR").state(QueuePairState.ERR);
    }

    @Test
    @DisplayName("§7.2(8): an empty message invalidates too, and may be solicited")
    void empty() {
        tape.receive(1).in("SEND_ONLY_WITH_INVALIDATE psn=500 inv=open SE A").out("ACK psn=500 syn=0x1f msn=1");
        tape.receiveDone("1 SUCCESS RECV 0 " + key());
    }

    @Test
    @DisplayName("§11.1: a READ whose answer is under way ends with an access error where the key is gone")
    void answersUnderWay() {
        tape.linkTakes(1).receive(1).in("READ_REQUEST psn=500 va=0x40000 key=open dma=600 A");
        tape.in("SEND_ONLY_WITH_INVALIDATE psn=503 inv=open A");
        tape.receiveDone("1 SUCCESS RECV 0 " + key()).linkTakes(9).run();
        tape.out("READ_RESPONSE_FIRST psn=500 syn=0x1f msn=1 len=256", "ACK psn=501 syn=0x62 msn=2");
        tape.events("QP_ACCESS_ERR").state(QueuePairState.ERR);
    }

    @Test
    @DisplayName("§11.1: a READ that fills the region when its key goes fails locally")
    void sinkGoes() {
        tape.receive(1).post(RdmaRead.of(2, open.slice(0, 300)).from(0x8000, 5));
        tape.out("READ_REQUEST psn=100 va=0x8000 key=0x5 dma=300 A").in("READ_RESPONSE_FIRST psn=100 len=256");
        tape.in("SEND_ONLY_WITH_INVALIDATE psn=500 inv=open").receiveDone("1 SUCCESS RECV 0 " + key());
        tape.in("READ_RESPONSE_LAST psn=101 len=44").sendDone("2 LOC_PROT_ERR").state(QueuePairState.ERR);
    }

    @ParameterizedTest
    @DisplayName(
            "§7.2(8), §8.1: a key that cannot be invalidated: data placed, NAK 0x62, the receive LOC_QP_OP_ERR, no event")
    @CsvSource({
        "mr, is not one that a peer may invalidate",
        "0, names no memory region",
        "foreign, belongs to another protection domain"
    })
    void refused(String key, String why) {
        var otherDomain = tape.device.allocateProtectionDomain();
        MemoryRegion other = otherDomain.registerMemory(
                MemoryRegionConfig.of(ByteBuffer.allocateDirect(8)).remoteInvalidate());
        String named = key.equals("foreign") ? "0x" + Integer.toHexString(other.remoteKey()) : key;
        tape.receive(1, tape.at(0, 64)).receive(2);
        tape.in("SEND_ONLY_WITH_INVALIDATE psn=500 inv=" + named + " len=4 A").out("ACK psn=500 syn=0x62 msn=0");
        tape.receiveDone("1 LOC_QP_OP_ERR", "2 WR_FLUSH_ERR").events().state(QueuePairState.ERR);
        assertThat(tape.memory(0, 4)).isEqualTo(PacketText.payload(500, 4));
        assertThat(tape.history(tape.receiveQueue).get(0).cause()).contains(why);
        assertThat(tape.count(Counter.REMOTE_ACCESS_ERROR_SENT)).isEqualTo(1);
        other.close();
        otherDomain.close();
    }

    @Test
    @DisplayName("§7.2(8): the same key a second time is one that cannot be invalidated")
    void twice() {
        tape.receive(1).receive(2, tape.at(0, 9));
        tape.in("SEND_ONLY_WITH_INVALIDATE psn=500 inv=open", "SEND_ONLY_WITH_INVALIDATE psn=501 inv=open len=9");
        tape.out("ACK psn=501 syn=0x62 msn=1").receiveDone("1 SUCCESS RECV 0 " + key(), "2 LOC_QP_OP_ERR");
        tape.state(QueuePairState.ERR);
    }

    @Test
    @DisplayName("§7.4: a duplicate is acknowledged again and takes no receive")
    void duplicate() {
        tape.receive(1).receive(2).in("SEND_ONLY_WITH_INVALIDATE psn=500 inv=open A");
        tape.receiveDone("1 SUCCESS RECV 0 " + key()).out("ACK psn=500 syn=0x1f msn=1");
        tape.in("SEND_ONLY_WITH_INVALIDATE psn=500 inv=open A").out("ACK psn=500 syn=0x1f msn=1");
        tape.state(QueuePairState.RTS);
    }

    @ParameterizedTest
    @DisplayName("§7.2: what is checked before the data are placed leaves the key alone")
    @ValueSource(
            strings = {
                "SEND_ONLY_WITH_INVALIDATE psn=500 inv=open len=257",
                "SEND_LAST_WITH_INVALIDATE psn=500 inv=open len=9",
                "SEND_ONLY_WITH_INVALIDATE psn=500 inv=open len=65"
            })
    void earlierChecks(String line) {
        tape.receive(1, tape.at(0, 64)).in(line);
        assertThat(tape.sent()).singleElement().asString().startsWith("ACK psn=500 syn=0x61");
        tape.forget();
        tape.state(QueuePairState.ERR);
        assertThat(tape.engine.memory().resolve(open.remoteKey(), 1, AccessFlag.REMOTE_READ.code(), OPEN, 8))
                .isNotNull();
    }

    @Test
    @DisplayName("§7.2(3): no receive, no invalidation")
    void receiverNotReady() {
        tape.in("SEND_ONLY_WITH_INVALIDATE psn=500 inv=open A").out("ACK psn=500 syn=0x2c msn=0");
        tape.receive(1).in("SEND_ONLY_WITH_INVALIDATE psn=500 inv=open A").out("ACK psn=500 syn=0x1f msn=1");
        tape.receiveDone("1 SUCCESS RECV 0 " + key());
    }
}
