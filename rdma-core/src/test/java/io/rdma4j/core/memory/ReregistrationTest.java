package io.rdma4j.core.memory;

import static io.rdma4j.verbs.AccessFlag.LOCAL_WRITE;
import static io.rdma4j.verbs.AccessFlag.MEMORY_WINDOW_BIND;
import static io.rdma4j.verbs.AccessFlag.REMOTE_ATOMIC;
import static io.rdma4j.verbs.AccessFlag.REMOTE_READ;
import static io.rdma4j.verbs.AccessFlag.REMOTE_WRITE;
import static io.rdma4j.verbs.AccessFlag.ZERO_BASED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.core.tape.PacketText;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryRegionConfig;
import io.rdma4j.verbs.MemoryRegionUpdate;
import io.rdma4j.verbs.MemoryWindowBinding;
import io.rdma4j.verbs.MemoryWindowType;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.Send;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** ibv_rereg_mr (§11.1): other memory, another domain, other rights under the same key, all at once or nothing. */
class ReregistrationTest {
    private static final long AT = 0x40000;

    private final Tape tape = new Tape();
    private final ByteBuffer old = ByteBuffer.allocateDirect(1024);
    private final ByteBuffer fresh = ByteBuffer.allocateDirect(2048);
    private final MemoryRegion region =
            tape.register("r", old, AT, LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC);
    private final ProtectionDomain other = tape.device.allocateProtectionDomain();

    @AfterEach
    void nothingMore() {
        region.close();
        other.close();
        tape.close();
    }

    private static MemoryRegionUpdate change() {
        return MemoryRegionUpdate.none();
    }

    private void refused(ErrorCode code, MemoryRegion what, MemoryRegionUpdate update, String words) {
        assertThatThrownBy(() -> what.reregister(update))
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(words);
    }

    @Test
    @DisplayName("§11.1: new memory at a new address under the same key; the old address is out of range")
    void translation() {
        int key = region.remoteKey();
        region.reregister(change().translation(fresh));
        assertThat(region.remoteKey()).isEqualTo(key);
        assertThat(region.length()).isEqualTo(2048);
        assertThat(region.address()).isNotEqualTo(AT);
        String address = "0x" + Long.toHexString(region.address() + 2040);
        tape.in("WRITE_ONLY psn=500 va=" + address + " key=r dma=8 len=8 A").out("ACK psn=500 syn=0x1f msn=1");
        assertThat(fresh.get(2040)).isEqualTo(PacketText.payloadByte(500, 0));
        assertThat(region.longAcquire(2040)).isNotZero();
        tape.in("WRITE_ONLY psn=501 va=0x40000 key=r dma=8 len=8 A").out("ACK psn=501 syn=0x62 msn=1");
        tape.events("QP_ACCESS_ERR");
        assertThat(old.get(0)).isZero();
    }

    @Test
    @DisplayName("§11.1: new memory at a chosen address")
    void chosenAddress() {
        region.reregister(change().translation(fresh).iova(AT));
        tape.in("WRITE_ONLY psn=500 va=0x40400 key=r dma=8 len=8 A").out("ACK psn=500 syn=0x1f msn=1");
        assertThat(fresh.get(1024)).isEqualTo(PacketText.payloadByte(500, 0));
    }

    @Test
    @DisplayName(
            "§11.1: a receive posted for the old memory: REM_OP_ERR for the peer, LOC_PROT_ERR here, nothing placed")
    void oldReceive() {
        tape.receive(1, region.slice(0, 64));
        region.reregister(change().translation(fresh));
        tape.in("SEND_ONLY psn=500 len=4 A").out("ACK psn=500 syn=0x63 msn=0").receiveDone("1 LOC_PROT_ERR");
        assertThat(old.get(0)).isZero();
        assertThat(fresh.get(0)).isZero();
    }

    @Test
    @DisplayName("§11.1: a region of another domain is none for this queue pair, receives and remote keys alike")
    void domain() {
        tape.receive(1, region.slice(0, 64));
        region.reregister(change().protectionDomain(other));
        assertThat(region.protectionDomain()).isSameAs(other);
        assertThatThrownBy(other::close).hasMessageContaining(region.toString());
        tape.in("SEND_ONLY psn=500 len=4 A").out("ACK psn=500 syn=0x63 msn=0").receiveDone("1 LOC_PROT_ERR");
        assertThat(tape.history(tape.receiveQueue).get(0).cause()).contains("another protection domain");
    }

    @Test
    @DisplayName("§11.1: WRITEs after REMOTE_WRITE was taken away: NAK 0x62; READs go on")
    void access() {
        region.reregister(change().access(LOCAL_WRITE, REMOTE_READ));
        assertThat(region.access()).containsExactlyInAnyOrder(LOCAL_WRITE, REMOTE_READ);
        assertThat(region.address()).isEqualTo(AT);
        tape.in("READ_REQUEST psn=500 va=0x40000 key=r dma=4 A").out("READ_RESPONSE_ONLY psn=500 syn=0x1f msn=1 len=4");
        tape.in("WRITE_ONLY psn=501 va=0x40000 key=r dma=8 len=8 A").out("ACK psn=501 syn=0x62 msn=1");
        tape.events("QP_ACCESS_ERR");
    }

    @Test
    @DisplayName("§11.1: a READ that is being answered ends with NAK 0x62 where the right is gone")
    void underAnAnswer() {
        tape.linkTakes(1).in("READ_REQUEST psn=500 va=0x40000 key=r dma=600 A");
        region.reregister(change().access(LOCAL_WRITE));
        tape.linkTakes(9).run();
        tape.out("READ_RESPONSE_FIRST psn=500 syn=0x1f msn=1 len=256", "ACK psn=501 syn=0x62 msn=1");
        tape.events("QP_ACCESS_ERR");
    }

    @Test
    @DisplayName("§11.1: a READ whose sink changes under it, and a SEND of old memory, fail with LOC_PROT_ERR")
    void localWork() {
        tape.post(RdmaRead.of(1, region.slice(0, 300)).from(0x8000, 5)).forget();
        tape.in("READ_RESPONSE_FIRST psn=100 len=256");
        Send send = Send.of(2, region.slice(0, 8));
        region.reregister(change().translation(fresh));
        tape.in("READ_RESPONSE_LAST psn=101 len=44").sendDone("1 LOC_PROT_ERR").state(QueuePairState.ERR);
        tape.post(send).sendDone("2 WR_FLUSH_ERR");
    }

    @Test
    @DisplayName("§11.1: all three at once")
    void combined() {
        region.reregister(
                change().translation(fresh).iova(0x1000).protectionDomain(other).access(LOCAL_WRITE));
        assertThat(region.address()).isEqualTo(0x1000);
        assertThat(region.protectionDomain()).isSameAs(other);
        assertThat(region.access()).containsExactly(LOCAL_WRITE);
        region.reregister(change().protectionDomain(tape.domain));
        tape.post(Send.of(1, region.slice(2044, 4)))
                .out("SEND_ONLY psn=100 len=4 A")
                .in("ACK psn=100");
    }

    @Test
    @DisplayName("§11.1: what is refused changes nothing")
    void refusals() {
        refused(ErrorCode.EINVAL, region, change(), "nothing is to change");
        refused(ErrorCode.EINVAL, region, change().iova(8), "translation");
        refused(ErrorCode.EINVAL, region, change().access(REMOTE_WRITE), "LOCAL_WRITE");
        refused(ErrorCode.EINVAL, region, change().access(LOCAL_WRITE, ZERO_BASED), "zero-based");
        refused(ErrorCode.EINVAL, region, change().translation(ByteBuffer.allocate(8)), "heap buffer");
        refused(ErrorCode.EINVAL, region, change().translation(old.asReadOnlyBuffer()), "read-only");
        refused(ErrorCode.EINVAL, region, change().translation(fresh).iova(-16).protectionDomain(other), "2^64");
        refused(ErrorCode.EINVAL, region, change().translation(fresh).iova(4), "modulo 8");
        ProtectionDomain closed = tape.device.allocateProtectionDomain();
        closed.close();
        refused(ErrorCode.EINVAL, region, change().protectionDomain(closed), "is closed");
        assertThat(region.protectionDomain()).isSameAs(tape.domain);
        assertThat(region.length()).isEqualTo(1024);
        tape.in("WRITE_ONLY psn=500 va=0x40000 key=r dma=8 len=8 A").out("ACK psn=500 syn=0x1f msn=1");
        assertThat(old.get(0)).isEqualTo(PacketText.payloadByte(500, 0));
    }

    @Test
    @DisplayName("§11.1: EBUSY while a window is bound, and it says which")
    void windows() {
        region.reregister(change().access(LOCAL_WRITE, MEMORY_WINDOW_BIND));
        var window = tape.domain.allocateMemoryWindow(MemoryWindowType.TYPE_1);
        tape.qp.bindMemoryWindow(1, window, MemoryWindowBinding.of(region, 0, 8, REMOTE_READ), false);
        tape.run();
        refused(ErrorCode.EBUSY, region, change().access(LOCAL_WRITE), window.toString());
        window.close();
        region.reregister(change().access(LOCAL_WRITE));
    }

    @Test
    @DisplayName("§11.1: a zero-based region stays so unless its memory changes, and then as its rights say")
    void zeroBased() {
        MemoryRegion zero = tape.register("zero", MemoryRegionConfig.of(old).zeroBased());
        zero.reregister(change().access(LOCAL_WRITE));
        assertThat(zero.address()).isZero();
        zero.reregister(change().translation(fresh));
        assertThat(zero.address()).isZero();
        zero.reregister(change().translation(old).access(LOCAL_WRITE));
        assertThat(zero.address()).isNotZero();
        zero.close();
    }

    @Test
    @DisplayName("§11.1: a region that a peer has invalidated stays as it is; a closed one is closed")
    void deadOnes() {
        MemoryRegion open = tape.register("open", MemoryRegionConfig.of(old).remoteInvalidate());
        open.reregister(change().access(LOCAL_WRITE));
        tape.receive(1).in("SEND_ONLY_WITH_INVALIDATE psn=500 inv=open");
        tape.receiveDone(String.format("1 SUCCESS RECV 0 inv=0x%x", open.remoteKey()));
        refused(ErrorCode.EINVAL, open, change().translation(fresh), "invalidated");
        open.close();
        refused(ErrorCode.EBADF, open, change().translation(fresh), "is closed");
    }
}
