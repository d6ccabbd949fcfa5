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
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryRegionConfig;
import io.rdma4j.verbs.MemoryWindow;
import io.rdma4j.verbs.MemoryWindowBinding;
import io.rdma4j.verbs.MemoryWindowType;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.RemoteKeys;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Memory windows (§11.2): what a bind may do, when it takes effect, and what peers may do through it. */
class MemoryWindowTest {
    private static final long AT = 0x40000;

    private final Tape tape = new Tape();
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(8192);
    private MemoryRegion region = registered(LOCAL_WRITE, MEMORY_WINDOW_BIND);
    private final MemoryWindow one = tape.domain.allocateMemoryWindow(MemoryWindowType.TYPE_1);
    private final MemoryWindow two = tape.domain.allocateMemoryWindow(MemoryWindowType.TYPE_2);

    @AfterEach
    void nothingMore() {
        one.close();
        two.close();
        region.close();
        tape.close();
    }

    private MemoryRegion registered(AccessFlag... access) {
        return tape.register("windowed", bytes, AT, access);
    }

    private void region(AccessFlag... access) {
        region.close();
        region = registered(access);
    }

    private MemoryWindow of(MemoryWindowType type) {
        return type == MemoryWindowType.TYPE_1 ? one : two;
    }

    /** Binds, as the window's type has it, and lets the engine work; the new key in hex. */
    private String bind(long id, MemoryWindow window, MemoryWindowBinding binding, boolean signaled) {
        int key;
        if (window.type() == MemoryWindowType.TYPE_1) {
            key = tape.qp.bindMemoryWindow(id, window, binding, signaled);
        } else {
            key = RemoteKeys.increment(window.remoteKey());
            BindMemoryWindow request = BindMemoryWindow.of(id, window, binding, key);
            tape.qp.postSend(signaled ? request.signaled() : request);
        }
        tape.run();
        assertThat(window.remoteKey()).isEqualTo(key);
        return "0x" + Integer.toHexString(key);
    }

    private MemoryWindowBinding part(long offset, long length, AccessFlag... access) {
        return MemoryWindowBinding.of(region, offset, length, access);
    }

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
    @CsvSource({
        "MW_BIND LOCAL_WRITE REMOTE_WRITE REMOTE_READ REMOTE_ATOMIC, REMOTE_WRITE REMOTE_READ REMOTE_ATOMIC, true",
        "MW_BIND, '', true",
        "LOCAL_WRITE REMOTE_WRITE REMOTE_READ REMOTE_ATOMIC, '', false",
        "MW_BIND, REMOTE_READ, true",
        "MW_BIND LOCAL_WRITE, REMOTE_WRITE, true",
        "MW_BIND, REMOTE_WRITE, false",
        "MW_BIND LOCAL_WRITE, REMOTE_ATOMIC, true",
        "MW_BIND, REMOTE_ATOMIC, false",
        "MW_BIND LOCAL_WRITE, LOCAL_WRITE REMOTE_WRITE, true",
    })
    @DisplayName("§11.2: rights of region and window, both types")
    void rights(String ofRegion, String ofWindow, boolean legal) {
        region(flags(ofRegion));
        MemoryWindowBinding binding = part(0, 64, flags(ofWindow));
        bind(1, one, binding, true);
        if (legal) {
            bind(2, two, binding, true);
            tape.sendDone("1 SUCCESS BIND_MW 0", "2 SUCCESS BIND_MW 0");
        } else {
            tape.sendDone("1 MW_BIND_ERR").state(QueuePairState.ERR);
            reconnect();
            bind(2, two, binding, true);
            tape.sendDone("2 MW_BIND_ERR").state(QueuePairState.ERR);
        }
    }

    private static AccessFlag[] flags(String names) {
        return List.of(names.split(" ")).stream()
                .filter(name -> !name.isEmpty())
                .map(name -> name.equals("MW_BIND") ? MEMORY_WINDOW_BIND : AccessFlag.valueOf(name))
                .toArray(AccessFlag[]::new);
    }

    private void reconnect() {
        tape.qp.modify(QueuePairAttributes.builder().state(QueuePairState.RESET).build());
        new TapeSetup().connect(tape.qp);
    }

    /** An unsignaled bind fails in these words; later requests are flushed. */
    private void refused(MemoryWindow window, MemoryWindowBinding binding, String words) {
        bind(7, window, binding, false);
        tape.post(Send.of(8)).sendDone("7 MW_BIND_ERR", "8 WR_FLUSH_ERR").state(QueuePairState.ERR);
        assertThat(tape.history(tape.sendQueue).get(0).cause()).contains(words);
    }

    @ParameterizedTest
    @EnumSource(MemoryWindowType.class)
    @DisplayName("§11.2: MW_BIND_ERR though unsignaled: a range beyond the region")
    void beyondTheRegion(MemoryWindowType type) {
        refused(of(type), part(8000, 193, REMOTE_READ), "193 bytes at 0x41f40 are not within");
    }

    @ParameterizedTest
    @EnumSource(MemoryWindowType.class)
    @DisplayName("§11.2: MW_BIND_ERR: a range before the region")
    void beforeTheRegion(MemoryWindowType type) {
        refused(of(type), part(-1, 8, REMOTE_READ), "are not within");
    }

    @Test
    @DisplayName("§11.2: MW_BIND_ERR: type 1 zero-based")
    void zeroBasedTypeOne() {
        refused(one, part(0, 8, REMOTE_READ, ZERO_BASED), "type 1 cannot be zero-based");
    }

    @Test
    @DisplayName("§11.2: MW_BIND_ERR: type 2 to 0 bytes")
    void nothingTypeTwo() {
        refused(two, part(0, 0, REMOTE_READ), "0 bytes");
    }

    @Test
    @DisplayName("§11.2: MW_BIND_ERR: type 2 when it is bound and was not invalidated; the bind that there is stays")
    void alreadyBound() {
        bind(1, two, part(0, 64, REMOTE_READ), false);
        refused(two, part(64, 64, REMOTE_READ), "was not invalidated");
        assertThatThrownBy(region::close).hasMessageContaining(two.toString());
    }

    @ParameterizedTest
    @EnumSource(MemoryWindowType.class)
    @DisplayName("§11.2: MW_BIND_ERR: a zero-based region")
    void zeroBasedRegion(MemoryWindowType type) {
        region.close();
        region = tape.domain.registerMemory(
                MemoryRegionConfig.of(bytes).zeroBased().access(LOCAL_WRITE, MEMORY_WINDOW_BIND, ZERO_BASED));
        refused(of(type), part(0, 8, REMOTE_READ), "is zero-based");
    }

    @Test
    @DisplayName("§11.2: MW_BIND_ERR: a key with the index of another window")
    void foreignKey() {
        tape.post(BindMemoryWindow.of(1, two, part(0, 8, REMOTE_READ), one.remoteKey()))
                .sendDone("1 MW_BIND_ERR");
        assertThat(tape.history(tape.sendQueue).get(0).cause()).contains("is not one of " + two);
    }

    @Test
    @DisplayName("§11.2: MW_BIND_ERR: atomics where an aligned address is no aligned word")
    void misalignedAtomics() {
        region.close();
        region = tape.register("odd", bytes, AT + 4, LOCAL_WRITE, MEMORY_WINDOW_BIND);
        refused(two, part(0, 64, REMOTE_ATOMIC), "modulo 8");
    }

    @Test
    @DisplayName("§11.2: MW_BIND_ERR: atomics through a zero-based window that begins between two words")
    void misalignedZeroBased() {
        refused(two, part(4, 64, REMOTE_ATOMIC, ZERO_BASED), "multiple of 8");
    }

    @Test
    @DisplayName("§11.2: MW_BIND_ERR: the window, or the region, was freed before the bind was executed")
    void goneBeforeItsTurn() {
        MemoryWindow third = tape.domain.allocateMemoryWindow(MemoryWindowType.TYPE_2);
        tape.qp.postSend(BindMemoryWindow.of(1, third, part(0, 8), third.remoteKey()));
        third.close();
        tape.run().sendDone("1 MW_BIND_ERR");
        reconnect();
        tape.qp.postSend(BindMemoryWindow.of(2, two, part(0, 8), two.remoteKey()));
        region.close();
        tape.run().sendDone("2 MW_BIND_ERR");
        assertThat(tape.history(tape.sendQueue).get(1).cause()).contains("deregistered");
    }

    @Test
    @DisplayName("§2 (conformance): domains: EPERM when they differ, MW_BIND_ERR when both are not the queue pair's")
    void otherDomain() {
        var other = tape.device.allocateProtectionDomain();
        MemoryRegion foreign = other.registerMemory(bytes, LOCAL_WRITE, MEMORY_WINDOW_BIND);
        MemoryWindow first = other.allocateMemoryWindow(MemoryWindowType.TYPE_1);
        MemoryWindow second = other.allocateMemoryWindow(MemoryWindowType.TYPE_2);
        MemoryWindowBinding toForeign = MemoryWindowBinding.of(foreign, 0, 8, REMOTE_READ);
        refusedCall(ErrorCode.EPERM, () -> tape.qp.bindMemoryWindow(1, one, toForeign, true));
        refusedCall(ErrorCode.EPERM, () -> tape.qp.bindMemoryWindow(1, first, part(0, 8), true));
        for (MemoryWindow window : List.of(first, second, two)) {
            refusedAlways(window, toForeign);
        }
        refusedAlways(second, part(0, 8));
        first.close();
        second.close();
        foreign.close();
        other.close();
    }

    private void refusedAlways(MemoryWindow window, MemoryWindowBinding binding) {
        bind(1, window, binding, false);
        tape.sendDone("1 MW_BIND_ERR");
        int last = tape.history(tape.sendQueue).size() - 1;
        assertThat(tape.history(tape.sendQueue).get(last).cause()).contains("another protection domain");
        reconnect();
    }

    private static void refusedCall(ErrorCode code, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    @DisplayName("§11.2: each type is bound in its own way only: EINVAL")
    void wrongWay() {
        int before = one.remoteKey();
        refusedCall(ErrorCode.EINVAL, () -> tape.qp.bindMemoryWindow(1, two, part(0, 8), true));
        refusedCall(ErrorCode.EINVAL, () -> tape.qp.postSend(BindMemoryWindow.of(1, one, part(0, 8), before + 1)));
        assertThat(one.remoteKey()).isEqualTo(before);
    }

    @Test
    @DisplayName("§11.2: a bind refused when it is called changes no key")
    void refusedWhenPosted() {
        MemoryWindow closed = tape.domain.allocateMemoryWindow(MemoryWindowType.TYPE_1);
        closed.close();
        refusedCall(ErrorCode.EINVAL, () -> tape.qp.bindMemoryWindow(1, closed, part(0, 8), true));
        int before = one.remoteKey();
        tape.qp.modify(QueuePairAttributes.builder().state(QueuePairState.RESET).build());
        refusedCall(ErrorCode.EINVAL, () -> tape.qp.bindMemoryWindow(1, one, part(0, 8), true));
        assertThat(one.remoteKey()).isEqualTo(before);
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
