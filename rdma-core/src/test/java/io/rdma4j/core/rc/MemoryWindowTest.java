package io.rdma4j.core.rc;

import static io.rdma4j.verbs.AccessFlag.REMOTE_ATOMIC;
import static io.rdma4j.verbs.AccessFlag.REMOTE_READ;
import static io.rdma4j.verbs.AccessFlag.REMOTE_WRITE;
import static io.rdma4j.verbs.AccessFlag.ZERO_BASED;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.tape.PacketText;
import io.rdma4j.verbs.BindMemoryWindow;
import io.rdma4j.verbs.MemoryWindow;
import io.rdma4j.verbs.MemoryWindowBinding;
import io.rdma4j.verbs.MemoryWindowType;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RemoteKeys;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What peers may do through memory windows (§11.2). */
class MemoryWindowTest extends WindowTape {
    @ParameterizedTest
    @EnumSource(MemoryWindowType.class)
    @DisplayName(
            "§11.2: a window has the rights and the range of its bind, whatever the region's own remote rights are")
    void access(MemoryWindowType type) {
        String key = bind(1, of(type), part(4096, 1024, REMOTE_READ, REMOTE_WRITE), true);
        tape.sendDone("1 SUCCESS BIND_MW 0");
        tape.in("WRITE_ONLY psn=500 va=0x41000 key=" + key + " dma=64 len=64 A").out("ACK psn=500 syn=0x1f msn=1");
        assertThat(bytes.get(4096)).isEqualTo(PacketText.payloadByte(500, 0));
        tape.in("READ_REQUEST psn=501 va=0x413c0 key=" + key + " dma=64 A")
                .out("READ_RESPONSE_ONLY psn=501 syn=0x1f msn=2 len=64");
        tape.in("WRITE_ONLY psn=502 va=0x413e8 key=" + key + " dma=64 len=64 A").out("ACK psn=502 syn=0x62 msn=2");
        tape.events("QP_ACCESS_ERR").state(QueuePairState.ERR);
    }

    @ParameterizedTest
    @CsvSource({
        "READ_REQUEST psn=500 va=0x40fff dma=1 A",
        "READ_REQUEST psn=500 va=0x41400 dma=1 A",
        "READ_REQUEST psn=500 va=0x41000 dma=1025 A",
        "WRITE_ONLY psn=500 va=0x41000 dma=8 len=8 A",
        "FETCH_ADD psn=500 va=0x41000 A",
    })
    @DisplayName("§11.2: before, behind and beyond the window, and without the right: NAK 0x62")
    void refusedAccess(String line) {
        String key = bind(1, two, part(4096, 1024, REMOTE_READ), false);
        tape.in(line + " key=" + key).out("ACK psn=500 syn=0x62 msn=0");
        tape.events("QP_ACCESS_ERR").state(QueuePairState.ERR);
    }

    @Test
    @DisplayName("§11.2: addresses of a zero-based window of type 2 start at 0")
    void zeroBased() {
        bytes.put(4100, (byte) 77);
        String key = bind(1, two, part(4096, 16, REMOTE_READ, REMOTE_ATOMIC, ZERO_BASED), false);
        tape.in("READ_REQUEST psn=500 va=0x4 key=" + key + " dma=12 A");
        tape.out("READ_RESPONSE_ONLY psn=500 syn=0x1f msn=1 len=12");
        assertThat(tape.payload(0)[0]).isEqualTo((byte) 77);
        tape.in("FETCH_ADD psn=501 va=0x8 key=" + key + " swap=5 A");
        assertThat(tape.sent()).hasSize(1);
        assertThat(bytes.get(4104)).isEqualTo((byte) 5);
        tape.in("READ_REQUEST psn=502 va=0x41000 key=" + key + " dma=1 A").out("ACK psn=502 syn=0x62 msn=2");
        tape.events("QP_ACCESS_ERR");
    }

    @ParameterizedTest
    @EnumSource(MemoryWindowType.class)
    @DisplayName("§11.2: zero-length access needs no window")
    void zeroLengthAccess(MemoryWindowType type) {
        String key = bind(1, of(type), part(4096, 8, REMOTE_READ), false);
        tape.in("READ_REQUEST psn=500 va=0x1 key=" + key + " dma=0 A");
        tape.out("READ_RESPONSE_ONLY psn=500 syn=0x1f msn=1");
        tape.in("WRITE_ONLY psn=501 va=0x1 key=0x7 dma=0 A").out("ACK psn=501 syn=0x1f msn=2");
    }

    @Test
    @DisplayName("§11.2: a bind of type 1 replaces the last; the old key is dead at once")
    void rebind() {
        String first = bind(1, one, part(0, 64, REMOTE_READ), false);
        String second = bind(2, one, part(64, 64, REMOTE_READ), true);
        assertThat(Integer.decode(second)).isEqualTo(RemoteKeys.increment(Integer.decode(first)));
        tape.sendDone("2 SUCCESS BIND_MW 0");
        tape.in("READ_REQUEST psn=500 va=0x40040 key=" + second + " dma=64 A");
        tape.out("READ_RESPONSE_ONLY psn=500 syn=0x1f msn=1 len=64");
        tape.in("READ_REQUEST psn=501 va=0x40040 key=" + first + " dma=64 A").out("ACK psn=501 syn=0x62 msn=1");
        tape.events("QP_ACCESS_ERR");
    }

    @Test
    @DisplayName("§11.2: a bind of length 0 unbinds type 1; neither key works, and the region can go")
    void unbind() {
        bind(1, one, part(0, 64, REMOTE_READ), false);
        String none = bind(2, one, MemoryWindowBinding.nothing(), true);
        tape.sendDone("2 SUCCESS BIND_MW 0");
        region.close();
        tape.in("READ_REQUEST psn=500 va=0x40000 key=" + none + " dma=1 A").out("ACK psn=500 syn=0x62 msn=0");
        tape.events("QP_ACCESS_ERR");
    }

    @ParameterizedTest
    @EnumSource(MemoryWindowType.class)
    @DisplayName("§11.2: the key of a window is no local key")
    void localUse(MemoryWindowType type) {
        String key = bind(1, of(type), part(0, 64, REMOTE_READ, REMOTE_WRITE), false);
        tape.post(Send.of(2, new ScatterGatherElement(AT, 8, Integer.decode(key))));
        tape.sendDone("2 LOC_PROT_ERR");
    }

    @Test
    @DisplayName("§11.2: two windows may have the same low bits; all keys differ")
    void sameVariant() {
        MemoryWindow other = tape.domain.allocateMemoryWindow(MemoryWindowType.TYPE_2);
        int first = RemoteKeys.withVariant(two.remoteKey(), 0x5A);
        int second = RemoteKeys.withVariant(other.remoteKey(), 0x5A);
        tape.post(
                BindMemoryWindow.of(1, two, part(0, 8), first).signaled(),
                BindMemoryWindow.of(2, other, part(0, 8), second).signaled());
        tape.sendDone("1 SUCCESS BIND_MW 0", "2 SUCCESS BIND_MW 0");
        assertThat(first).isNotEqualTo(second);
        assertThat(two.remoteKey() & 0xFF).isEqualTo(0x5A);
        other.close();
    }
}
