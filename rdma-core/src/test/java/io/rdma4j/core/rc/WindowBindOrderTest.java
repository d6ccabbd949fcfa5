package io.rdma4j.core.rc;

import static io.rdma4j.verbs.AccessFlag.REMOTE_READ;
import static io.rdma4j.verbs.AccessFlag.REMOTE_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.verbs.BindMemoryWindow;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.MemoryWindow;
import io.rdma4j.verbs.MemoryWindowType;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.RemoteKeys;
import io.rdma4j.verbs.Send;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When a bind takes effect and completes (§6.1, §11.2), and when a window ends. */
class WindowBindOrderTest extends WindowTape {
    @Test
    @DisplayName(
            "§6.1(1), §11.2: a bind takes effect in its turn; a later SEND may carry the key; it completes in order")
    void order() {
        int key = RemoteKeys.increment(two.remoteKey());
        tape.post(
                RdmaWrite.of(1, tape.at(0, 8)).to(0x8000, 5).signaled(),
                BindMemoryWindow.of(2, two, part(0, 64, REMOTE_READ), key).signaled(),
                Send.of(3, tape.at(0, 8)).signaled());
        tape.out("WRITE_ONLY psn=100 va=0x8000 key=0x5 dma=8 len=8 A", "SEND_ONLY psn=101 len=8 A");
        tape.in("READ_REQUEST psn=500 va=0x40000 key=0x" + Integer.toHexString(key) + " dma=8 A");
        tape.out("READ_RESPONSE_ONLY psn=500 syn=0x1f msn=1 len=8").sendDone();
        tape.in("ACK psn=100").sendDone("1 SUCCESS RDMA_WRITE 8", "2 SUCCESS BIND_MW 0");
        tape.in("ACK psn=101").sendDone("3 SUCCESS SEND 8");
    }

    @Test
    @DisplayName("§6.3, §11.2: a bind behind what is sent again was executed once, and completes once")
    void rollback() {
        int key = RemoteKeys.increment(two.remoteKey());
        tape.post(
                RdmaWrite.of(1, tape.at(0, 8)).to(0x8000, 5),
                BindMemoryWindow.of(2, two, part(0, 64, REMOTE_READ), key).signaled(),
                RdmaWrite.of(3, tape.at(0, 8)).to(0x8000, 5).signaled());
        tape.forget();
        tape.in("ACK psn=100 syn=0x60");
        tape.out(
                "WRITE_ONLY psn=100 va=0x8000 key=0x5 dma=8 len=8 A",
                "WRITE_ONLY psn=101 va=0x8000 key=0x5 dma=8 len=8 A");
        tape.in("ACK psn=101").sendDone("2 SUCCESS BIND_MW 0", "3 SUCCESS RDMA_WRITE 8");
        tape.state(QueuePairState.RTS);
    }

    @Test
    @DisplayName("§6.3: the acknowledgement of all before a bind that a rollback went back behind lets it complete")
    void rollbackThenAcknowledged() {
        int key = RemoteKeys.increment(two.remoteKey());
        tape.post(
                RdmaWrite.of(1, tape.at(0, 8)).to(0x8000, 5),
                BindMemoryWindow.of(2, two, part(0, 64, REMOTE_READ), key).signaled());
        tape.linkTakes(0).in("ACK psn=100 syn=0x60").in("ACK psn=100");
        tape.sendDone("2 SUCCESS BIND_MW 0").linkTakes(9);
        tape.post(Send.of(3).signaled()).forget();
        tape.in("ACK psn=101").sendDone("3 SUCCESS SEND 0");
    }

    @Test
    @DisplayName("§6.1(5): a fenced bind waits for the READ before it, another does not")
    void fence() {
        int key = RemoteKeys.increment(two.remoteKey());
        tape.post(
                RdmaRead.of(1, tape.at(0, 8)).from(0x8000, 5).signaled(),
                BindMemoryWindow.of(2, two, part(0, 64, REMOTE_READ), key)
                        .signaled()
                        .fenced());
        tape.out("READ_REQUEST psn=100 va=0x8000 key=0x5 dma=8 A");
        region.close(); // nothing is bound to it yet
        tape.in("READ_RESPONSE_ONLY psn=100 len=8").sendDone("1 SUCCESS RDMA_READ 8", "2 MW_BIND_ERR");
    }

    @Test
    @DisplayName("§9: nothing is bound in SQD, until the send queue goes on")
    void drained() {
        tape.qp.modify(QueuePairAttributes.builder().state(QueuePairState.SQD).build());
        bind(1, one, part(0, 64, REMOTE_READ), true);
        tape.sendDone();
        tape.qp.modify(QueuePairAttributes.builder().state(QueuePairState.RTS).build());
        tape.run().sendDone("1 SUCCESS BIND_MW 0");
    }

    @ParameterizedTest
    @EnumSource(MemoryWindowType.class)
    @DisplayName("§11.2: a bind posted in ERR is flushed and not executed")
    void inError(MemoryWindowType type) {
        tape.qp.modify(QueuePairAttributes.builder().state(QueuePairState.ERR).build());
        bind(1, of(type), part(0, 8, REMOTE_READ), false);
        tape.sendDone("1 WR_FLUSH_ERR");
        region.close();
    }

    @Test
    @DisplayName("§11.2: RESET ends the windows of type 2 that the queue pair bound, and no others")
    void reset() {
        String first = bind(1, one, part(0, 64, REMOTE_READ), false);
        bind(2, two, part(0, 64, REMOTE_READ), false);
        reconnect();
        tape.in("READ_REQUEST psn=500 va=0x40000 key=" + first + " dma=1 A");
        tape.out("READ_RESPONSE_ONLY psn=500 syn=0x1f msn=1 len=1");
        String again = bind(3, two, part(0, 64, REMOTE_READ), true);
        tape.sendDone("3 SUCCESS BIND_MW 0");
        reconnect();
        tape.in("READ_REQUEST psn=500 va=0x40000 key=" + again + " dma=1 A").out("ACK psn=500 syn=0x62 msn=0");
        tape.events("QP_ACCESS_ERR");
    }

    @Test
    @DisplayName("§11.2: a READ that a window answers ends with NAK 0x62 where the window is gone")
    void goesUnderAnAnswer() {
        String key = bind(1, two, part(0, 1024, REMOTE_READ), false);
        tape.linkTakes(1).in("READ_REQUEST psn=500 va=0x40000 key=" + key + " dma=600 A");
        two.close();
        tape.linkTakes(9).run();
        tape.out("READ_RESPONSE_FIRST psn=500 syn=0x1f msn=1 len=256", "ACK psn=501 syn=0x62 msn=1");
        tape.events("QP_ACCESS_ERR");
    }

    @Test
    @DisplayName("§11.2: a WRITE of several packets ends with NAK 0x62 where the window is gone")
    void goesUnderAWrite() {
        String key = bind(1, one, part(0, 1024, REMOTE_WRITE), false);
        tape.in("WRITE_FIRST psn=500 va=0x40000 key=" + key + " dma=300 len=256");
        bind(2, one, part(0, 1024, REMOTE_WRITE), false);
        tape.in("WRITE_LAST psn=501 len=44 A").out("ACK psn=501 syn=0x62 msn=0").events("QP_ACCESS_ERR");
    }

    @ParameterizedTest
    @EnumSource(MemoryWindowType.class)
    @DisplayName("§11.1: deregistering a region with a window is EBUSY, and names it; freeing the window unbinds it")
    void busy(MemoryWindowType type) {
        MemoryWindow window = tape.domain.allocateMemoryWindow(type);
        String key = bind(1, window, part(0, 64, REMOTE_READ), false);
        assertThatThrownBy(region::close)
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.EBUSY))
                .hasMessageContaining(window.toString());
        assertThatThrownBy(tape.domain::close).hasMessageContaining(window.toString());
        tape.in("READ_REQUEST psn=500 va=0x40000 key=" + key + " dma=1 A");
        tape.out("READ_RESPONSE_ONLY psn=500 syn=0x1f msn=1 len=1");
        window.close();
        region.close();
        tape.in("READ_REQUEST psn=501 va=0x40000 key=" + key + " dma=1 A").out("ACK psn=501 syn=0x62 msn=1");
        tape.events("QP_ACCESS_ERR");
    }
}
