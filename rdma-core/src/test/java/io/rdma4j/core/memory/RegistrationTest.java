package io.rdma4j.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.core.tape.PacketText;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryRegionConfig;
import io.rdma4j.verbs.RdmaException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** §11.1: what may be registered, and what its addresses and keys then mean. */
class RegistrationTest {
    private final Tape tape = new Tape();
    private MemoryRegion region;

    @AfterEach
    void nothingMore() {
        if (region != null) {
            region.close();
        }
        tape.close();
    }

    private void register(ByteBuffer buffer, long address, AccessFlag... access) {
        region = tape.register("r", buffer, address, access);
    }

    private void refused(MemoryRegionConfig config, String... words) {
        assertThatThrownBy(() -> tape.domain.registerMemory(config))
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.EINVAL))
                .hasMessageContainingAll(words);
    }

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes);
    }

    @Test
    @DisplayName("§11.1: heap buffers, remote rights without LOCAL_WRITE, and writable rights on read-only memory")
    void refusals() {
        refused(MemoryRegionConfig.of(ByteBuffer.allocate(8)), "heap buffer", "allocateDirect");
        refused(MemoryRegionConfig.of(direct(8), ByteBuffer.allocate(8)), "heap buffer");
        refused(MemoryRegionConfig.of(direct(8)).access(AccessFlag.REMOTE_WRITE), "LOCAL_WRITE");
        refused(MemoryRegionConfig.of(direct(8)).access(AccessFlag.REMOTE_ATOMIC), "LOCAL_WRITE");
        refused(MemoryRegionConfig.of(direct(8).asReadOnlyBuffer()).access(AccessFlag.LOCAL_WRITE), "read-only");
    }

    @Test
    @DisplayName("§11.1: a read-only buffer serves READs")
    void readOnly() {
        register(direct(8).put(0, (byte) 7).asReadOnlyBuffer(), 0x90000, AccessFlag.REMOTE_READ);
        tape.in("READ_REQUEST psn=500 va=0x90000 key=r dma=1 A");
        tape.out("READ_RESPONSE_ONLY psn=500 syn=0x1f msn=1 len=1");
        assertThat(tape.payload(0)).containsExactly(7);
    }

    @Test
    @DisplayName("§11.1: position to limit are registered, and moving them later changes nothing")
    void positionToLimit() {
        ByteBuffer buffer = direct(100).position(32).limit(48);
        register(buffer, 0x90000, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
        buffer.clear();
        assertThat(region.length()).isEqualTo(16);
        tape.in("WRITE_ONLY psn=500 va=0x90008 key=r dma=8 len=8");
        assertThat(buffer.get(40)).isEqualTo(PacketText.payloadByte(500, 0));
        tape.in("WRITE_ONLY psn=501 va=0x90008 key=r dma=9 len=9").out("ACK psn=501 syn=0x62 msn=1");
        tape.events("QP_ACCESS_ERR");
    }

    @Test
    @DisplayName("§11.1: several buffers are one range; a packet may cross their seams")
    void severalBuffers() {
        ByteBuffer[] parts = {direct(10), direct(0), direct(1), direct(100)};
        region = tape.domain.registerMemory(
                MemoryRegionConfig.of(parts).iova(0x90000).access(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE));
        assertThat(region.length()).isEqualTo(111);
        tape.in("WRITE_ONLY psn=500 va=0x90008 key=0x" + Integer.toHexString(region.remoteKey()) + " dma=20 len=20");
        byte[] sent = PacketText.payload(500, 20);
        assertThat(parts[0].get(9)).isEqualTo(sent[1]);
        assertThat(parts[2].get(0)).isEqualTo(sent[2]);
        assertThat(parts[3].get(0)).isEqualTo(sent[3]);
        assertThat(parts[3].get(16)).isEqualTo(sent[19]);
        assertThat(parts[3].get(17)).isZero();
    }

    @Test
    @DisplayName("§11.1: a region of length 0 is allowed and covers nothing")
    void zeroLength() {
        register(direct(0), 0x90000, AccessFlag.REMOTE_READ);
        assertThat(region.length()).isZero();
        tape.in("READ_REQUEST psn=500 va=0x90000 key=r dma=0 A").out("READ_RESPONSE_ONLY psn=500 syn=0x1f msn=1");
        tape.in("READ_REQUEST psn=501 va=0x90000 key=r dma=1 A").out("ACK psn=501 syn=0x62 msn=1");
        tape.events("QP_ACCESS_ERR");
    }

    @Test
    @DisplayName("§11.1: ranges up to 2^64 are legal, beyond it not; arithmetic does not wrap")
    void nearTheEnd() {
        refused(MemoryRegionConfig.of(direct(17)).iova(-16), "2^64");
        register(direct(16), -16, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
        tape.in("WRITE_ONLY psn=500 va=0xfffffffffffffff8 key=r dma=8 len=8 A").out("ACK psn=500 syn=0x1f msn=1");
        tape.in("WRITE_ONLY psn=501 va=0xfffffffffffffff9 key=r dma=8 len=8 A").out("ACK psn=501 syn=0x62 msn=1");
        tape.events("QP_ACCESS_ERR");
    }

    @Test
    @DisplayName("§11.1: a length that wraps around the address space is out of range")
    void wrappingLength() {
        tape.in("READ_REQUEST psn=500 va=0x1fff8 key=mr dma=0x80000000").out("ACK psn=500 syn=0x62 msn=0");
        tape.events("QP_ACCESS_ERR");
    }

    @Test
    @DisplayName("§11.1: zero-based regions begin at 0")
    void zeroBased() {
        region = tape.domain.registerMemory(
                MemoryRegionConfig.of(direct(8)).access(AccessFlag.REMOTE_READ).zeroBased());
        assertThat(region.address()).isZero();
        tape.in("READ_REQUEST psn=500 va=0 key=0x" + Integer.toHexString(region.remoteKey()) + " dma=8 A");
        tape.out("READ_RESPONSE_ONLY psn=500 syn=0x1f msn=1 len=8");
    }

    @Test
    @DisplayName("§3, §7.2(7): with REMOTE_ATOMIC an aligned address must mean an aligned word")
    void atomicAlignment() {
        AccessFlag[] atomic = {AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_ATOMIC};
        refused(MemoryRegionConfig.of(direct(64)).access(atomic).iova(0x90004), "modulo 8");
        refused(MemoryRegionConfig.of(direct(64).position(4)).access(atomic).iova(0x90000), "modulo 8");
        refused(MemoryRegionConfig.of(direct(12), direct(12)).access(atomic).iova(0x90000), "modulo 8");
        refused(
                MemoryRegionConfig.of(direct(12), direct(16).position(4))
                        .access(atomic)
                        .iova(0x90000),
                "multiple of 8");
        register(direct(64).position(4), 0x90004, atomic);
        tape.in("FETCH_ADD psn=500 va=0x90008 key=r add=1 A").out("ATOMIC_ACK psn=500 syn=0x1f msn=1 orig=0");
    }

    @Test
    @DisplayName("§7.2(7): the device's own addresses have the alignment of the memory behind them")
    void ownAddresses() {
        Set<Long> pages = new HashSet<>();
        for (int skip = 0; skip < 16; skip++) {
            MemoryRegion one = tape.domain.registerMemory(
                    direct(64).position(skip), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_ATOMIC);
            assertThat(pages.add(one.address() >>> 12)).as("regions lie apart").isTrue();
            one.close();
        }
    }

    @Test
    @DisplayName("§11.1: a key is dead once its region is closed, and does not come back soon")
    void deadKeys() {
        Set<Integer> keys = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            MemoryRegion one = tape.domain.registerMemory(direct(8), AccessFlag.REMOTE_READ);
            assertThat(keys.add(one.remoteKey())).isTrue();
            assertThat(one.remoteKey() >>> 8).isNotZero();
            one.close();
        }
    }

    @Test
    @DisplayName("§11.1: a local key of another protection domain does not work for a READ's target either")
    void otherDomain() {
        var domain = tape.device.allocateProtectionDomain();
        MemoryRegion other = domain.registerMemory(direct(8), AccessFlag.REMOTE_READ);
        String key = "0x" + Integer.toHexString(other.remoteKey());
        String va = "0x" + Long.toHexString(other.address());
        tape.in("READ_REQUEST psn=500 va=" + va + " key=" + key + " dma=8").out("ACK psn=500 syn=0x62 msn=0");
        tape.events("QP_ACCESS_ERR");
        other.close();
        domain.close();
    }
}
