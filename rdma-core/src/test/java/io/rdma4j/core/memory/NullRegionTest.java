package io.rdma4j.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.FetchAndAdd;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryRegionUpdate;
import io.rdma4j.verbs.MemoryWindowBinding;
import io.rdma4j.verbs.MemoryWindowType;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** ibv_alloc_null_mr (§11.1): reads as zeros, swallows what is written, any length, for local elements. */
class NullRegionTest {
    private final Tape tape = new Tape();
    private final MemoryRegion none = tape.domain.allocateNullRegion();

    @AfterEach
    void nothingMore() {
        none.close();
        tape.close();
    }

    @Test
    @DisplayName("§11.1: sent, alone and between other elements, it is zeros")
    void sent() {
        tape.bytes.put(0, new byte[] {1, 2, 3, 4});
        tape.post(Send.of(1, tape.at(0, 2), none.slice(1L << 40, 3), tape.at(2, 2)));
        tape.out("SEND_ONLY psn=100 len=7 A");
        assertThat(tape.payload(0)).containsExactly(1, 2, 0, 0, 0, 3, 4);
        tape.post(Send.of(2, new ScatterGatherElement(0, 600, none.localKey())));
        tape.out("SEND_FIRST psn=101 len=256", "SEND_MIDDLE psn=102 len=256", "SEND_LAST psn=103 len=88 A");
        assertThat(tape.payload(1)).containsOnly(0);
        tape.in("ACK psn=103");
    }

    @Test
    @DisplayName("§11.1: a receive of it takes a message and forgets it, and so do the sinks of READs and atomics")
    void swallowed() {
        tape.receive(1, none.slice(0, 3), tape.at(0, 4)).in("SEND_ONLY psn=500 len=7 A");
        tape.out("ACK psn=500 syn=0x1f msn=1").receiveDone("1 SUCCESS RECV 7");
        assertThat(tape.memory(0, 4))
                .isEqualTo(java.util.Arrays.copyOfRange(io.rdma4j.core.tape.PacketText.payload(500, 7), 3, 7));
        tape.post(RdmaRead.of(2, none.slice(8, 10)).from(0x8000, 5).signaled()).forget();
        tape.in("READ_RESPONSE_ONLY psn=100 len=10").sendDone("2 SUCCESS RDMA_READ 10");
        tape.post(FetchAndAdd.of(3, none.slice(8, 8), 1).at(0x8000, 5).signaled())
                .forget();
        tape.in("ATOMIC_ACK psn=101 orig=7").sendDone("3 SUCCESS FETCH_ADD 8");
    }

    @Test
    @DisplayName("§11.1: its words read as zero and stay so")
    void words() {
        none.longRelease(64, 42);
        assertThat(none.longAcquire(64)).isZero();
        assertThat(none.awaitLong(1L << 50, 0, Duration.ZERO)).isTrue();
        assertThat(none.length()).isEqualTo(Long.MAX_VALUE);
        assertThat(none.access()).containsExactly(AccessFlag.LOCAL_WRITE);
    }

    @Test
    @DisplayName("§11.1: no peer can use it")
    void notRemote() {
        tape.in(String.format("READ_REQUEST psn=500 va=0x0 key=0x%x dma=8 A", none.remoteKey()));
        tape.out("ACK psn=500 syn=0x62 msn=0").events("QP_ACCESS_ERR");
    }

    @Test
    @DisplayName("§11.2: no window can be bound to it, and it is not re-registered")
    void noWindow() {
        var window = tape.domain.allocateMemoryWindow(MemoryWindowType.TYPE_1);
        tape.qp.bindMemoryWindow(1, window, MemoryWindowBinding.of(none, 0, 8), false);
        tape.run().sendDone("1 MW_BIND_ERR");
        window.close();
        assertThatThrownBy(() -> none.reregister(MemoryRegionUpdate.none().access()))
                .isInstanceOf(RdmaException.class);
    }
}
