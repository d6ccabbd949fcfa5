package io.rdma4j.core.rc;

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
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.BindMemoryWindow;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.FastRegister;
import io.rdma4j.verbs.FastRegistrationRegion;
import io.rdma4j.verbs.LocalInvalidate;
import io.rdma4j.verbs.MemoryRegionUpdate;
import io.rdma4j.verbs.MemoryWindowBinding;
import io.rdma4j.verbs.MemoryWindowType;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.RemoteKeys;
import io.rdma4j.verbs.Send;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Fast registration (§11.1): mapped, registered by a request, invalidated, and so on again. */
class FastRegistrationTest {
    private static final AccessFlag[] OPEN = {LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC, MEMORY_WINDOW_BIND
    };

    private final Tape tape = new Tape();
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(4096);
    private final FastRegistrationRegion region = tape.domain.allocateFastRegistration(2);

    @AfterEach
    void nothingMore() {
        region.close();
        tape.close();
    }

    private FastRegister request(long id, AccessFlag... access) {
        return FastRegister.of(id, region, RemoteKeys.increment(region.remoteKey()), access);
    }

    private String target() {
        return String.format(" va=0x%x key=0x%x", region.address(), region.remoteKey());
    }

    private void reconnect() {
        tape.qp.modify(QueuePairAttributes.builder().state(QueuePairState.RESET).build());
        new TapeSetup().connect(tape.qp);
    }

    private static void refusedCall(ErrorCode code, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private void refused(FastRegister request, String words) {
        tape.post(request, Send.of(9)).sendDone(request.workRequestId() + " LOC_QP_OP_ERR", "9 WR_FLUSH_ERR");
        var history = tape.history(tape.sendQueue);
        assertThat(history.get(history.size() - 2).cause()).contains(words);
        tape.state(QueuePairState.ERR);
        reconnect();
    }

    @Test
    @DisplayName("§11.1: registered by a request it serves peers and local elements, under the key of the request")
    void registers() {
        assertThat(region.isValid()).isFalse();
        region.map(bytes);
        FastRegister request = request(1, OPEN).signaled();
        tape.post(request).sendDone("1 SUCCESS REG_MR 0");
        assertThat(region.isValid()).isTrue();
        assertThat(region.remoteKey()).isEqualTo(request.key()).isEqualTo(region.localKey());
        assertThat(region.access()).containsExactlyInAnyOrder(OPEN);
        assertThat(region.length()).isEqualTo(4096);
        tape.in("WRITE_ONLY psn=500" + target() + " dma=8 len=8 A").out("ACK psn=500 syn=0x1f msn=1");
        assertThat(bytes.get(0)).isEqualTo(PacketText.payloadByte(500, 0));
        tape.post(Send.of(2, region.slice(0, 8))).out("SEND_ONLY psn=100 len=8 A");
        assertThat(tape.payload(0)).isEqualTo(PacketText.payload(500, 8));
        tape.in("ACK psn=100");
    }

    @Test
    @DisplayName("§11.1: it takes effect in the order of the send queue, so that the next request may use it")
    void order() {
        region.map(bytes);
        FastRegister request = request(1, LOCAL_WRITE);
        tape.qp.postSend(request);
        tape.post(Send.of(2, region.slice(0, 8)).signaled()).out("SEND_ONLY psn=100 len=8 A");
        tape.in("ACK psn=100").sendDone("2 SUCCESS SEND 8");
    }

    @Test
    @DisplayName("§11.1: several buffers, up to the number it was made for, are one range")
    void severalBuffers() {
        ByteBuffer more = ByteBuffer.allocateDirect(8);
        region.map(bytes, more);
        assertThat(region.length()).isEqualTo(4104);
        tape.post(request(1, LOCAL_WRITE, REMOTE_WRITE))
                .in(String.format(
                        "WRITE_ONLY psn=500 va=0x%x key=0x%x dma=8 len=8",
                        region.address() + 4092, region.remoteKey()));
        assertThat(more.get(0)).isEqualTo(PacketText.payload(500, 8)[4]);
        FastRegistrationRegion other = tape.domain.allocateFastRegistration(1);
        refusedCall(ErrorCode.EINVAL, () -> other.map(bytes, more));
        refusedCall(ErrorCode.EINVAL, other::map);
        refusedCall(ErrorCode.EINVAL, () -> other.map(ByteBuffer.allocate(8)));
        other.close();
        refusedCall(ErrorCode.EBADF, () -> other.map(bytes));
        refusedCall(ErrorCode.EINVAL, () -> tape.domain.allocateFastRegistration(0));
        refusedCall(ErrorCode.EINVAL, () -> tape.domain.allocateFastRegistration(513));
    }

    @Test
    @DisplayName("§11.1: LOCAL_INV makes it free; the stale key is refused, and it can be registered anew")
    void invalidate() {
        region.map(bytes);
        FastRegister first = request(1, OPEN);
        tape.post(first);
        String stale = target();
        refusedCall(ErrorCode.EBUSY, () -> region.map(bytes));
        tape.post(LocalInvalidate.of(2, first.key()).signaled()).sendDone("2 SUCCESS LOCAL_INV 0");
        assertThat(region.isValid()).isFalse();
        region.map(bytes.slice(1024, 1024));
        tape.post(request(3, OPEN).signaled()).sendDone("3 SUCCESS REG_MR 0");
        tape.in("WRITE_ONLY psn=500" + target() + " dma=8 len=8 A").out("ACK psn=500 syn=0x1f msn=1");
        assertThat(bytes.get(1024)).isEqualTo(PacketText.payloadByte(500, 0));
        tape.in("WRITE_ONLY psn=501" + stale + " dma=8 len=8 A").out("ACK psn=501 syn=0x62 msn=1");
        tape.events("QP_ACCESS_ERR");
    }

    @Test
    @DisplayName("§7.2(8), §11.1: so does a peer's SEND with invalidate; between two registrations no key works")
    void invalidatedByPeer() {
        region.map(bytes);
        tape.post(request(1, OPEN)).receive(2);
        tape.in(String.format("SEND_ONLY_WITH_INVALIDATE psn=500 inv=0x%x A", region.remoteKey()));
        tape.out("ACK psn=500 syn=0x1f msn=1");
        tape.receiveDone(String.format("2 SUCCESS RECV 0 inv=0x%x", region.remoteKey()));
        assertThat(region.isValid()).isFalse();
        tape.in("WRITE_ONLY psn=501" + target() + " dma=8 len=8 A").out("ACK psn=501 syn=0x62 msn=1");
        tape.events("QP_ACCESS_ERR");
    }

    @Test
    @DisplayName("§8.2, §11.1: LOC_QP_OP_ERR for one that is registered, mapped to nothing, or under a foreign key")
    void refusals() {
        refused(request(1, LOCAL_WRITE), "mapped to nothing");
        region.map(bytes);
        refused(FastRegister.of(2, region, tape.region.localKey(), LOCAL_WRITE), "is not one of");
        tape.post(request(3, LOCAL_WRITE).signaled()).sendDone("3 LOC_QP_OP_ERR");
        reconnect();
    }

    @Test
    @DisplayName("§8.2, §11.1: LOC_QP_OP_ERR for one that was not invalidated; the registration that there is stays")
    void alreadyValid() {
        region.map(bytes);
        FastRegister first = request(1, OPEN);
        tape.post(first);
        String target = target();
        refused(request(2, LOCAL_WRITE), "was not invalidated");
        tape.in("WRITE_ONLY psn=500" + target + " dma=8 len=8 A").out("ACK psn=500 syn=0x1f msn=1");
    }

    @Test
    @DisplayName("§8.2, §11.1: the rights keep to the rules of a registration")
    void rights() {
        region.map(bytes);
        int key = region.remoteKey();
        refused(FastRegister.of(1, region, key, REMOTE_WRITE), "need LOCAL_WRITE");
        refused(FastRegister.of(2, region, key, LOCAL_WRITE, ZERO_BASED), "zero-based");
        region.map(bytes.asReadOnlyBuffer());
        refused(FastRegister.of(3, region, key, LOCAL_WRITE), "read-only");
        region.map(bytes.slice(0, 4), bytes.slice(4, 8));
        refused(FastRegister.of(4, region, key, LOCAL_WRITE, REMOTE_ATOMIC), "multiple of 8");
        tape.post(FastRegister.of(5, region, key, LOCAL_WRITE).signaled()).sendDone("5 SUCCESS REG_MR 0");
    }

    @Test
    @DisplayName(
            "§8.2, §11.1: LOC_QP_OP_ERR for a region of another domain than the queue pair's, and for a closed one")
    void otherDomain() {
        var domain = tape.device.allocateProtectionDomain();
        FastRegistrationRegion foreign = domain.allocateFastRegistration(1);
        foreign.map(bytes);
        refused(FastRegister.of(1, foreign, foreign.remoteKey(), LOCAL_WRITE), "another protection domain");
        tape.qp.postSend(FastRegister.of(2, foreign, foreign.remoteKey(), LOCAL_WRITE));
        foreign.close();
        tape.run().sendDone("2 LOC_QP_OP_ERR");
        reconnect();
        refusedCall(ErrorCode.EINVAL, () -> tape.qp.postSend(FastRegister.of(3, foreign, 0, LOCAL_WRITE)));
        domain.close();
    }

    @Test
    @DisplayName("§11.1: a request takes along what the region was mapped to when it was posted")
    void mappingOfThePost() {
        region.map(bytes.slice(0, 64));
        long address = region.address();
        FastRegister request = request(1, OPEN);
        tape.qp.postSend(request);
        region.map(bytes.slice(2048, 64));
        tape.run();
        tape.in(String.format("WRITE_ONLY psn=500 va=0x%x key=0x%x dma=8 len=8", address, request.key()));
        assertThat(bytes.get(0)).isEqualTo(PacketText.payloadByte(500, 0));
    }

    @Test
    @DisplayName("§11.2: windows may be bound to it, and hold it: it cannot be invalidated under them")
    void windows() {
        var window = tape.domain.allocateMemoryWindow(MemoryWindowType.TYPE_2);
        region.map(bytes);
        FastRegister request = request(1, OPEN);
        tape.qp.postSend(request);
        int key = RemoteKeys.increment(window.remoteKey());
        tape.post(BindMemoryWindow.of(2, window, MemoryWindowBinding.of(region, 0, 8, REMOTE_READ), key)
                        .signaled())
                .sendDone("2 SUCCESS BIND_MW 0");
        tape.post(LocalInvalidate.of(3, request.key())).sendDone("3 LOC_QP_OP_ERR");
        window.close();
    }

    @Test
    @DisplayName("§11.1: it is not re-registered as ordinary memory is")
    void reregister() {
        refusedCall(
                ErrorCode.EINVAL,
                () -> region.reregister(MemoryRegionUpdate.none().access(LOCAL_WRITE)));
    }
}
