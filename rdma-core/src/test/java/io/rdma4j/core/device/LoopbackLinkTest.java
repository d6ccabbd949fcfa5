package io.rdma4j.core.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.core.engine.DeviceEngine;
import io.rdma4j.core.engine.EngineConfig;
import io.rdma4j.core.engine.IcrcPolicy;
import io.rdma4j.core.link.LoopbackLink;
import io.rdma4j.core.link.Path;
import io.rdma4j.core.tape.InlineDriver;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.AddressHandle;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.DatagramDestination;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whole devices on loopback links: what an embedding program does. */
class LoopbackLinkTest {
    private static final int BYTES = 100_000;
    private static final int QKEY = 7;

    private static final class Party {
        final LoopbackLink link;
        final DeviceEngine engine;
        final ByteBuffer memory = ByteBuffer.allocateDirect(BYTES);
        final CompletionQueue completions;
        final MemoryRegion region;
        final QueuePair queuePair;
        final QueuePair datagrams;

        Party(String address, long seed) {
            Gid gid = Gid.parse(address);
            link = new LoopbackLink(gid);
            engine = new DeviceEngine(
                    new EngineConfig(
                            gid, 4791, PathMtu.MTU_1024, 4 << 20, new SplittableRandom(seed), IcrcPolicy.STRICT),
                    () -> {});
            link.deliverTo(engine);
            SoftDevice device = new SoftDevice(address, engine, new InlineDriver(link));
            ProtectionDomain domain = device.allocateProtectionDomain();
            completions = device.createCompletionQueue(16);
            for (int i = 0; i < BYTES; i++) {
                memory.put(i, (byte) (i * 31 + seed));
            }
            region = domain.registerMemory(memory, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
            queuePair = domain.createQueuePair(QueuePairConfig.reliable(completions));
            datagrams = domain.createQueuePair(QueuePairConfig.datagram(completions));
            datagrams.activate(QKEY);
        }

        void write(Party to) {
            queuePair.postSend(RdmaWrite.of(1, region.slice(0, BYTES / 2))
                    .to(to.region.address() + BYTES / 2, to.region.remoteKey())
                    .signaled());
        }

        boolean turn() {
            int work = engine.advance(0, link);
            return work + link.carry(0) > 0;
        }

        void assertDone() {
            WorkCompletion[] done = WorkCompletion.array(1);
            assertThat(completions.poll(done)).isEqualTo(1);
            assertThat(done[0].isSuccess()).as(done[0].cause()).isTrue();
        }
    }

    @Test
    void twoEnginesTalkWithoutANetwork() {
        Party a = new Party("192.0.2.1", 1);
        Party b = new Party("192.0.2.2", 2);
        a.link.join(b.link);
        a.queuePair.connect(b.queuePair.localAddress());
        b.queuePair.connect(a.queuePair.localAddress());
        a.write(b);

        while (a.turn() | b.turn()) {
            // until both have nothing to do
        }

        a.assertDone();
        assertThat(b.memory.slice(BYTES / 2, BYTES / 2)).isEqualTo(a.memory.slice(0, BYTES / 2));
        assertThat(a.link.undeliverable()).isZero();
    }

    @Test
    void oneEngineTalksToItself() {
        Party a = new Party("fd00::a", 1);
        a.queuePair.connect(a.queuePair.localAddress());
        a.write(a);

        while (a.turn()) {
            // until it has nothing to do
        }

        a.assertDone();
        assertThat(a.memory.slice(BYTES / 2, BYTES / 2)).isEqualTo(a.memory.slice(0, BYTES / 2));
    }

    @Test
    @DisplayName("§14: a datagram to a group goes to every joined link that is in it, once, the sender's own included")
    void groups() {
        Gid group = Gid.parse("239.0.0.1");
        Party a = new Party("192.0.2.1", 1);
        Party b = new Party("192.0.2.2", 2);
        Party c = new Party("192.0.2.3", 3);
        a.link.join(b.link);
        a.link.join(c.link);
        for (Party member : List.of(a, b)) {
            member.datagrams.attachMulticast(group);
        }
        for (Party party : List.of(a, b, c)) {
            party.datagrams.postReceive(ReceiveRequest.of(2, party.region.slice(0, 100)));
        }
        AddressHandle way = a.datagrams.protectionDomain().createAddressHandle(AddressVector.of(group));
        Send request = Send.of(1).to(way, DatagramDestination.MULTICAST_QUEUE_PAIR, QKEY);
        a.datagrams.postSend(request);

        while (a.turn() | b.turn() | c.turn()) {
            // until all have nothing to do
        }

        a.assertDone();
        b.assertDone();
        assertThat(c.completions.poll(WorkCompletion.array(1))).isZero();
        assertThat(a.link.undeliverable()).isZero();

        a.datagrams.detachMulticast(group);
        b.datagrams.detachMulticast(group);
        a.datagrams.postSend(request);
        a.turn();
        assertThat(a.link.undeliverable()).isEqualTo(1);
    }

    @Test
    void whatNobodyTakesIsCounted() {
        Party a = new Party("192.0.2.1", 1);
        Party b = new Party("192.0.2.2", 2);
        a.queuePair.connect(b.queuePair.localAddress());
        a.write(b);

        a.turn();

        assertThat(a.link.undeliverable()).isPositive();
    }

    @Test
    void claimsFailWhenTooManyFramesWaitAndSucceedAgainLater() {
        Party a = new Party("192.0.2.1", 1);
        Path path = Path.between(Gid.parse("192.0.2.1"), Gid.parse("192.0.2.9"));
        for (int i = 0; i < LoopbackLink.MAX_FRAMES; i++) {
            assertThat(a.link.claim(path, 12)).isTrue();
            a.link.commit();
        }

        assertThat(a.link.claim(path, 12)).isFalse();
        assertThat(a.link.carry(0)).isEqualTo(LoopbackLink.MAX_FRAMES);
        assertThat(a.link.claim(path, 12)).isTrue();
        a.link.cancel();
    }

    @Test
    void linksOfOneGidCannotBeJoined() {
        LoopbackLink one = new LoopbackLink(Gid.parse("192.0.2.1"));

        assertThatThrownBy(() -> one.join(new LoopbackLink(Gid.parse("192.0.2.1"))))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
