package io.rdma4j.testkit.scenario;

import static io.rdma4j.core.wire.Opcode.RC_RDMA_WRITE_FIRST;
import static io.rdma4j.core.wire.Opcode.RC_RDMA_WRITE_LAST_WITH_IMMEDIATE;
import static io.rdma4j.core.wire.Opcode.RC_RDMA_WRITE_MIDDLE;
import static io.rdma4j.core.wire.Opcode.RC_SEND_ONLY;
import static io.rdma4j.testkit.scenario.TwoNodes.MILLISECOND;
import static io.rdma4j.testkit.scenario.TwoNodes.PSN_A;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.Syndrome;
import io.rdma4j.testkit.fabric.FrameRule;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.AsyncEventType;
import io.rdma4j.verbs.CompletionChannel;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryRegionConfig;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.RdmaWriteWithImmediate;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendRequest;
import io.rdma4j.verbs.SendWithImmediate;
import io.rdma4j.verbs.SendWithInvalidate;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionOpcode;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Immediate data, invalidation and inline data between two devices, with what a network does to them. */
class ImmediateScenarioTest {
    private static final int TARGET = 32 << 10;

    private static RdmaWriteWithImmediate write(TwoNodes nodes, long id, int immediate, int length) {
        return RdmaWriteWithImmediate.of(id, immediate, nodes.a.region.slice(0, length))
                .to(nodes.b.region.address() + TARGET, nodes.b.region.remoteKey())
                .signaled();
    }

    private static void assertWritten(TwoNodes nodes, int immediate, int length) {
        assertThat(nodes.a.completions()).singleElement().matches(WorkCompletion::isSuccess);
        assertThat(nodes.b.completions()).singleElement().satisfies(done -> {
            assertThat(done.isSuccess()).as(done.cause()).isTrue();
            assertThat(done.opcode()).isEqualTo(WorkCompletionOpcode.RECV_RDMA_WITH_IMM);
            assertThat(done.immediateData()).isEqualTo(immediate);
            assertThat(done.byteLength()).isEqualTo(length);
            assertThat(done.queuePairNumber()).isEqualTo(nodes.b.queuePair.number());
        });
        assertThat(nodes.b.bytes(TARGET, length)).isEqualTo(nodes.a.bytes(0, length));
    }

    @Test
    @DisplayName("§7.2(3), §7.5: a WRITE that meets no receive at its last packet waits there, and only there")
    void receiverNotReadyAtTheEnd() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            nodes.a.queuePair.postSend(write(nodes, 1, 77, 5000));
            nodes.fabric.after(2 * MILLISECOND, () -> nodes.b.postReceive(1001, 0, 0));

            nodes.runToRest();

            assertWritten(nodes, 77, 5000);
            assertThat(nodes.sent(nodes.a, RC_RDMA_WRITE_FIRST)).hasSize(1);
            assertThat(nodes.sent(nodes.a, RC_RDMA_WRITE_MIDDLE)).hasSize(3);
            int naks = nodes.naks(nodes.b, Syndrome.rnrNak(12)).size();
            assertThat(nodes.sent(nodes.a, RC_RDMA_WRITE_LAST_WITH_IMMEDIATE)).hasSize(naks + 1);
            assertThat(nodes.naks(nodes.b, Syndrome.rnrNak(12)))
                    .hasSizeGreaterThan(1)
                    .allMatch(entry -> entry.frame().psn() == PSN_A + 4);
        }
    }

    @ParameterizedTest
    @DisplayName("§6.3, §7.4: whichever packet of a WRITE with immediate is lost, one receive is taken, once")
    @EnumSource(
            names = {
                "RC_RDMA_WRITE_FIRST",
                "RC_RDMA_WRITE_MIDDLE",
                "RC_RDMA_WRITE_LAST_WITH_IMMEDIATE",
                "RC_ACKNOWLEDGE"
            })
    void losses(Opcode lost) {
        try (TwoNodes nodes = TwoNodes.connected()) {
            nodes.b.postReceive(1001, 0, 0);
            nodes.b.postReceive(1002, 0, 0);
            nodes.fabric.addRule(FrameRule.drop().opcode(lost).first(1));
            nodes.a.queuePair.postSend(write(nodes, 1, 78, 5000));

            nodes.runToRest();

            assertWritten(nodes, 78, 5000);
        }
    }

    /** A completion queue of the receiver that tells of its completions, and one more queue pair that uses it. */
    private static final class Listener implements AutoCloseable {
        private final CompletionChannel channel;
        private final CompletionQueue queue;
        private final QueuePair receiver;
        private final QueuePair sender;

        Listener(TwoNodes nodes) {
            channel = nodes.b.device.rdma().createCompletionChannel();
            queue = nodes.b.device.rdma().createCompletionQueue(16, channel);
            receiver = nodes.b.domain.createQueuePair(QueuePairConfig.reliable(queue));
            sender = nodes.a.createQueuePair();
            sender.connect(receiver.localAddress());
            receiver.connect(sender.localAddress());
        }

        boolean isTold() {
            CompletionQueue told = channel.await(Duration.ZERO);
            if (told != null) {
                told.acknowledgeEvents(1);
            }
            return told != null;
        }

        @Override
        public void close() {
            receiver.close();
            queue.close();
            channel.close();
        }
    }

    @Test
    @DisplayName(
            "§10, §6.1(3): who armed for solicited completions hears of SENDs and WRITEs that ask for it, and no others")
    void solicited() {
        try (TwoNodes nodes = TwoNodes.connected();
                Listener listener = new Listener(nodes)) {
            MemoryRegion target = nodes.b.region;
            List<SendRequest> quiet = List.of(
                    Send.of(1),
                    SendWithImmediate.of(1, 5),
                    RdmaWriteWithImmediate.of(1, 5).to(target.address(), target.remoteKey()));
            List<SendRequest> loud = List.of(
                    Send.of(1).solicited(),
                    SendWithImmediate.of(1, 5).solicited(),
                    RdmaWriteWithImmediate.of(1, 5)
                            .to(target.address(), target.remoteKey())
                            .solicited());
            for (int i = 0; i < loud.size(); i++) {
                listener.queue.arm(true);
                listener.receiver.postReceive(List.of(ReceiveRequest.of(2), ReceiveRequest.of(3)));
                listener.sender.postSend(quiet.get(i));
                nodes.runToRest();
                assertThat(listener.isTold()).as("%s", quiet.get(i)).isFalse();
                listener.sender.postSend(loud.get(i));
                nodes.runToRest();
                assertThat(listener.isTold()).as("%s", loud.get(i)).isTrue();
                assertThat(listener.queue.poll(WorkCompletion.array(4))).isEqualTo(2);
            }
        }
    }

    @Test
    @DisplayName("§7.2(8), §11.1: a peer gives a buffer back, and may not touch it again")
    void invalidate() {
        try (TwoNodes nodes = TwoNodes.connected();
                MemoryRegion open = nodes.b.domain.registerMemory(MemoryRegionConfig.of(ByteBuffer.allocateDirect(64))
                        .access(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE)
                        .remoteInvalidate())) {
            RdmaWrite write = RdmaWrite.of(1, nodes.a.region.slice(0, 64))
                    .to(open.address(), open.remoteKey())
                    .signaled();
            nodes.b.postReceive(1001, TARGET, 64);
            nodes.a.queuePair.postSend(write);
            nodes.a.queuePair.postSend(SendWithInvalidate.inline(2, open.remoteKey(), "yours".getBytes())
                    .signaled());
            nodes.runToRest();
            assertThat(nodes.a.completions()).hasSize(2).allMatch(WorkCompletion::isSuccess);
            assertThat(nodes.b.completions()).singleElement().satisfies(done -> {
                assertThat(done.byteLength()).isEqualTo(5);
                assertThat(done.hasInvalidated()).isTrue();
                assertThat(done.invalidatedKey()).isEqualTo(open.remoteKey());
            });

            nodes.a.queuePair.postSend(write);
            nodes.runToRest();
            assertThat(nodes.a.completions().get(2).status()).isEqualTo(WorkCompletionStatus.REM_ACCESS_ERR);
        }
    }

    @Test
    @DisplayName("§7.2(8), §8.1: a key that may not be invalidated: the data are there, and both queue pairs fail")
    void invalidateRefused() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            nodes.b.postReceive(1001, TARGET, 64);
            nodes.a.queuePair.postSend(
                    SendWithInvalidate.of(1, nodes.b.region.remoteKey(), nodes.a.region.slice(0, 64)));
            nodes.runToRest();
            assertThat(nodes.a.completions())
                    .singleElement()
                    .matches(done -> done.status() == WorkCompletionStatus.REM_ACCESS_ERR);
            assertThat(nodes.b.completions())
                    .singleElement()
                    .matches(done -> done.status() == WorkCompletionStatus.LOC_QP_OP_ERR);
            assertThat(nodes.b.bytes(TARGET, 64)).isEqualTo(nodes.a.bytes(0, 64));
            assertThat(nodes.a.queuePair.state()).isEqualTo(QueuePairState.ERR);
            assertThat(nodes.b.queuePair.state()).isEqualTo(QueuePairState.ERR);
            assertThat(nodes.b.nextAsyncEvent()).isNull();
        }
    }

    @Test
    @DisplayName("§8.1: a WRITE with immediate and a bad key fails the receive that it took")
    void badKey() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            nodes.b.postReceive(1001, TARGET, 64);
            nodes.a.queuePair.postSend(RdmaWriteWithImmediate.of(1, 5, nodes.a.region.slice(0, 64))
                    .to(nodes.b.region.address(), nodes.b.region.remoteKey() ^ 1));
            nodes.runToRest();
            assertThat(nodes.a.completions())
                    .singleElement()
                    .matches(done -> done.status() == WorkCompletionStatus.REM_ACCESS_ERR);
            assertThat(nodes.b.completions())
                    .singleElement()
                    .matches(done -> done.status() == WorkCompletionStatus.LOC_ACCESS_ERR);
            assertThat(nodes.b.nextAsyncEvent()).isNull();
        }
    }

    @Test
    @DisplayName(
            "§8.1: of a long WRITE with immediate the first packet is refused, with an event; the receive is flushed")
    void badKeyOfALongWrite() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            nodes.b.postReceive(1001, TARGET, 64);
            nodes.a.queuePair.postSend(RdmaWriteWithImmediate.of(1, 5, nodes.a.region.slice(0, 5000))
                    .to(nodes.b.region.address(), nodes.b.region.remoteKey() ^ 1));
            nodes.runToRest();
            assertThat(nodes.b.completions())
                    .singleElement()
                    .matches(done -> done.status() == WorkCompletionStatus.WR_FLUSH_ERR);
            assertThat(nodes.b.nextAsyncEvent()).matches(event -> event.type() == AsyncEventType.QP_ACCESS_ERR);
        }
    }

    @Test
    @DisplayName(
            "§6.1(9), §6.3: inline data that is lost is sent again as it was posted, whatever became of the program's bytes")
    void inlineIsSentAgain() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            byte[] message = "as it was".getBytes();
            byte[] posted = message.clone();
            nodes.fabric.addRule(FrameRule.drop().opcode(RC_SEND_ONLY).first(2));
            nodes.b.postReceive(1001, TARGET, 64);
            nodes.a.queuePair.postSend(Send.inline(1, message).signaled());
            Arrays.fill(message, (byte) 0);

            nodes.runToRest();

            assertThat(nodes.a.completions()).singleElement().matches(WorkCompletion::isSuccess);
            assertThat(nodes.b.bytes(TARGET, posted.length)).isEqualTo(posted);
            assertThat(nodes.sent(nodes.a, RC_SEND_ONLY)).hasSize(3);
        }
    }
}
