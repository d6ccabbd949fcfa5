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
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Whole devices on loopback links: what an embedding program does. */
class LoopbackLinkTest {
    private static final int BYTES = 100_000;

    private static final class Party {
        final LoopbackLink link;
        final DeviceEngine engine;
        final ByteBuffer memory = ByteBuffer.allocateDirect(BYTES);
        final CompletionQueue completions;
        final MemoryRegion region;
        final QueuePair queuePair;

        Party(String address, long seed) {
            Gid gid = Gid.parse(address);
            link = new LoopbackLink(gid);
            engine = new DeviceEngine(
                    new EngineConfig(
                            gid, 4791, PathMtu.MTU_1024, 4 << 20, new SplittableRandom(seed), IcrcPolicy.STRICT),
                    () -> {});
            link.deliverTo(engine);
            SoftDevice device = new SoftDevice(address, engine, new InlineDriver());
            ProtectionDomain domain = device.allocateProtectionDomain();
            completions = device.createCompletionQueue(16);
            for (int i = 0; i < BYTES; i++) {
                memory.put(i, (byte) (i * 31 + seed));
            }
            region = domain.registerMemory(memory, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
            queuePair = domain.createQueuePair(QueuePairConfig.reliable(completions));
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
