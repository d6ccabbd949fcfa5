package io.rdma4j.core.rc;

import static io.rdma4j.verbs.AccessFlag.LOCAL_WRITE;
import static io.rdma4j.verbs.AccessFlag.MEMORY_WINDOW_BIND;
import static io.rdma4j.verbs.AccessFlag.REMOTE_READ;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.tape.PacketText;
import io.rdma4j.verbs.BindMemoryWindow;
import io.rdma4j.verbs.LocalInvalidate;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryRegionConfig;
import io.rdma4j.verbs.MemoryWindow;
import io.rdma4j.verbs.MemoryWindowType;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.RemoteKeys;
import io.rdma4j.verbs.Send;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The end of keys by the program's own hand (§6.1(5), §8.2, §11), and of windows by a peer's SEND (§7.2(8)). */
class LocalInvalidateTest extends WindowTape {
    private int bound() {
        return Integer.decode(bind(1, two, part(0, 64, REMOTE_READ), false));
    }

    private static String hex(int key) {
        return "0x" + Integer.toHexString(key);
    }

    private void readIsRefused(int psn, int key) {
        tape.in("READ_REQUEST psn=" + psn + " va=0x40000 key=" + hex(key) + " dma=8 A");
        assertThat(tape.sent()).singleElement().asString().startsWith("ACK psn=" + psn + " syn=0x62");
        tape.events("QP_ACCESS_ERR");
    }

    @Test
    @DisplayName(
            "§11.2: a window of type 2 that was invalidated refuses its key, frees its region and can be bound again")
    void window() {
        int key = bound();
        tape.post(LocalInvalidate.of(2, key).signaled()).sendDone("2 SUCCESS LOCAL_INV 0");
        MemoryRegion before = region;
        region(LOCAL_WRITE, MEMORY_WINDOW_BIND);
        assertThat(region).isNotSameAs(before);
        int again = bound();
        tape.in("READ_REQUEST psn=500 va=0x40000 key=" + hex(again) + " dma=8 A");
        tape.out("READ_RESPONSE_ONLY psn=500 syn=0x1f msn=1 len=8");
        readIsRefused(501, key);
    }

    @Test
    @DisplayName("§11.2: an unsignaled invalidation leaves no completion, and takes effect all the same")
    void unsignaled() {
        int key = bound();
        tape.post(LocalInvalidate.of(2, key)).sendDone();
        readIsRefused(500, key);
    }

    @Test
    @DisplayName("§6.1(5): an invalidation waits for all requests before it, and what follows waits with it")
    void waits() {
        int key = bound();
        tape.post(
                RdmaWrite.of(2, tape.at(0, 8)).to(0x8000, 5),
                LocalInvalidate.of(3, key).signaled(),
                Send.of(4).signaled());
        tape.out("WRITE_ONLY psn=100 va=0x8000 key=0x5 dma=8 len=8 A");
        tape.in("READ_REQUEST psn=500 va=0x40000 key=" + hex(key) + " dma=8 A");
        tape.out("READ_RESPONSE_ONLY psn=500 syn=0x1f msn=1 len=8");
        tape.in("ACK psn=100").sendDone("3 SUCCESS LOCAL_INV 0").out("SEND_ONLY psn=101 A");
        tape.in("ACK psn=101").sendDone("4 SUCCESS SEND 0");
        readIsRefused(501, key);
    }

    @Test
    @DisplayName("§6.3: nor is an invalidation executed while what is before it is sent again")
    void waitsForRepetitions() {
        int key = bound();
        tape.post(
                RdmaRead.of(2, tape.at(0, 600)).from(0x8000, 5),
                LocalInvalidate.of(3, key).signaled());
        tape.out("READ_REQUEST psn=100 va=0x8000 key=0x5 dma=600 A");
        tape.in("READ_RESPONSE_FIRST psn=100 len=256", "READ_RESPONSE_LAST psn=102 len=88");
        tape.out("READ_REQUEST psn=101 va=0x8100 key=0x5 dma=344 A").sendDone();
        tape.in("READ_RESPONSE_FIRST psn=101 len=256", "READ_RESPONSE_LAST psn=102 len=88");
        tape.sendDone("3 SUCCESS LOCAL_INV 0");
    }

    @Test
    @DisplayName("§11.2: bind, use, invalidate and bind again, all posted at once")
    void chain() {
        int first = RemoteKeys.increment(two.remoteKey());
        int second = RemoteKeys.increment(first);
        tape.post(
                BindMemoryWindow.of(1, two, part(0, 64, REMOTE_READ), first),
                Send.inline(2, new byte[4]),
                LocalInvalidate.of(3, first),
                BindMemoryWindow.of(4, two, part(64, 64, REMOTE_READ), second),
                Send.inline(5, new byte[4]).signaled());
        tape.out("SEND_ONLY psn=100 len=4 A").in("ACK psn=100").out("SEND_ONLY psn=101 len=4 A");
        tape.in("ACK psn=101").sendDone("5 SUCCESS SEND 4");
        assertThat(two.remoteKey()).isEqualTo(second);
        readIsRefused(500, first);
    }

    @Test
    @DisplayName("§8.2: MW_BIND_ERR for a window: of type 1, unbound, or with another key than its own")
    void refusedForWindows() {
        int ofOne = Integer.decode(bind(1, one, part(0, 8), false));
        refused(ofOne, "MW_BIND_ERR", "is not one that a peer may invalidate");
        refused(two.remoteKey(), "MW_BIND_ERR", "bound to nothing");
        int key = bound();
        refused(RemoteKeys.increment(key), "MW_BIND_ERR", "names no");
    }

    @Test
    @DisplayName(
            "§8.2: LOC_QP_OP_ERR for what is no window: a region registered in the ordinary way, and no key at all")
    void refusedForRegions() {
        refused(region.localKey(), "LOC_QP_OP_ERR", "may invalidate");
        refused(0x7777_7701, "LOC_QP_OP_ERR", "names no");
    }

    private void refused(int key, String status, String words) {
        tape.post(LocalInvalidate.of(7, key), Send.of(8));
        tape.sendDone("7 " + status, "8 WR_FLUSH_ERR").state(QueuePairState.ERR);
        var history = tape.history(tape.sendQueue);
        assertThat(history.get(history.size() - 2).cause()).contains(words);
        reconnect();
    }

    @Test
    @DisplayName("§11.2: MW_BIND_ERR through another queue pair than the one that bound the window, which stays bound")
    void otherQueuePair() {
        QueuePair other = tape.domain.createQueuePair(QueuePairConfig.reliable(tape.sendQueue, tape.receiveQueue));
        new io.rdma4j.core.tape.TapeSetup().connect(other);
        MemoryWindow theirs = tape.domain.allocateMemoryWindow(MemoryWindowType.TYPE_2);
        int key = RemoteKeys.increment(theirs.remoteKey());
        other.postSend(
                BindMemoryWindow.of(1, theirs, part(0, 64, REMOTE_READ), key).signaled());
        tape.run().sendDone("1 SUCCESS BIND_MW 0");
        refused(key, "MW_BIND_ERR", "another queue pair");
        readIsRefused(500, key);
        reconnect();
        other.postSend(LocalInvalidate.of(2, key).signaled());
        tape.run().sendDone("2 SUCCESS LOCAL_INV 0");
        other.close();
        theirs.close();
    }

    @Test
    @DisplayName("§11.2: destroying the queue pair that bound a window of type 2 ends it")
    void destroyed() {
        QueuePair other = tape.domain.createQueuePair(QueuePairConfig.reliable(tape.sendQueue, tape.receiveQueue));
        new io.rdma4j.core.tape.TapeSetup().connect(other);
        int key = RemoteKeys.increment(two.remoteKey());
        other.postSend(
                BindMemoryWindow.of(1, two, part(0, 64, REMOTE_READ), key).signaled());
        tape.run().sendDone("1 SUCCESS BIND_MW 0");
        other.close();
        MemoryRegion gone = region;
        gone.close();
        region = registered(LOCAL_WRITE, MEMORY_WINDOW_BIND);
        bound();
    }

    @Test
    @DisplayName("§11.1: a region that a peer may invalidate can be invalidated here too")
    void region() {
        MemoryRegion open = tape.register(
                "open",
                MemoryRegionConfig.of(ByteBuffer.allocateDirect(64))
                        .access(LOCAL_WRITE, REMOTE_READ)
                        .remoteInvalidate());
        tape.post(LocalInvalidate.of(2, open.localKey()).signaled()).sendDone("2 SUCCESS LOCAL_INV 0");
        tape.post(Send.of(3, open.slice(0, 4))).sendDone("3 LOC_PROT_ERR");
        open.close();
    }

    @Test
    @DisplayName("§11.1: a region with windows bound to it cannot be invalidated")
    void regionWithWindows() {
        region.close();
        region = tape.register(
                "open",
                MemoryRegionConfig.of(bytes)
                        .access(LOCAL_WRITE, MEMORY_WINDOW_BIND)
                        .remoteInvalidate());
        bind(1, one, part(0, 8, REMOTE_READ), false);
        refused(region.localKey(), "LOC_QP_OP_ERR", "windows bound");
    }

    @Test
    @DisplayName("§9: an invalidation that is posted in ERR is flushed, and the key lives")
    void flushed() {
        int key = bound();
        tape.qp.modify(QueuePairAttributes.builder().state(QueuePairState.ERR).build());
        tape.post(LocalInvalidate.of(2, key)).sendDone("2 WR_FLUSH_ERR");
        assertThat(tape.history(tape.sendQueue)).hasSize(1);
        assertThat(region)
                .satisfies(r -> org.assertj.core.api.Assertions.assertThatThrownBy(r::close)
                        .hasMessageContaining(two.toString()));
    }

    @Test
    @DisplayName("§7.2(8): a SEND with invalidate ends a window of type 2 of its queue pair")
    void byPeer() {
        int key = bound();
        tape.receive(9, tape.at(0, 64));
        tape.in("SEND_ONLY_WITH_INVALIDATE psn=500 inv=" + hex(key) + " len=4 A")
                .out("ACK psn=500 syn=0x1f msn=1");
        tape.receiveDone("9 SUCCESS RECV 4 inv=" + hex(key));
        readIsRefused(501, key);
    }

    @Test
    @DisplayName("§7.2(8): a SEND with invalidate of a window of type 1: data placed, NAK 0x62, LOC_QP_OP_ERR")
    void byPeerTypeOne() {
        int key = Integer.decode(bind(1, one, part(0, 64, REMOTE_READ), false));
        tape.receive(9, tape.at(0, 64));
        tape.in("SEND_ONLY_WITH_INVALIDATE psn=500 inv=" + hex(key) + " len=4 A")
                .out("ACK psn=500 syn=0x62 msn=0");
        tape.receiveDone("9 LOC_QP_OP_ERR").state(QueuePairState.ERR);
        assertThat(tape.memory(0, 4)).isEqualTo(PacketText.payload(500, 4));
    }
}
