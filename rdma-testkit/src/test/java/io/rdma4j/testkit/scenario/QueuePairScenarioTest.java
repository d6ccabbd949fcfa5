package io.rdma4j.testkit.scenario;

import static io.rdma4j.testkit.scenario.TwoNodes.MILLISECOND;
import static io.rdma4j.testkit.scenario.TwoNodes.PSN_A;
import static io.rdma4j.testkit.scenario.TwoNodes.PSN_B;
import static io.rdma4j.testkit.scenario.TwoNodes.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.testkit.fabric.Fabric;
import io.rdma4j.testkit.verbs.ConnectionEnd;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.AsyncEvent;
import io.rdma4j.verbs.AsyncEventType;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The life of queue pairs under traffic: destroyed, reset, failed, used again (§8.5, §9). */
class QueuePairScenarioTest {
    private static final ConnectOptions OPTIONS =
            ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_1024).timeout(8).retryCount(2);
    private static final int MESSAGE = 128 << 10;
    private static final int PAIRS = 4;

    private static void move(QueuePair queuePair, QueuePairState state) {
        queuePair.modify(QueuePairAttributes.builder().state(state).build());
    }

    private static List<WorkCompletion> of(Node node, QueuePair queuePair) {
        return node.completions().stream()
                .filter(done -> done.queuePairNumber() == queuePair.number())
                .toList();
    }

    /** What ends the first of several connections in the middle of a message: at the sender or the receiver, and how. */
    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        "receiver, destroyed",
        "receiver, RESET",
        "receiver, ERR",
        "sender, destroyed",
        "sender, RESET",
        "sender, ERR"
    })
    @DisplayName(
            "bug/9: a queue pair that ends mid-message harms no other; its peer gets RETRY_EXC_ERR, or hears no more")
    void endsMidMessage(String side, String how) {
        try (TwoNodes nodes = new TwoNodes("192.0.2.2", "192.0.2.3", MESSAGE * PAIRS)) {
            List<QueuePair> senders = new ArrayList<>(List.of(nodes.a.queuePair));
            List<QueuePair> receivers = new ArrayList<>(List.of(nodes.b.queuePair));
            for (int i = 1; i < PAIRS; i++) {
                senders.add(nodes.a.createQueuePair());
                receivers.add(nodes.b.createQueuePair());
            }
            for (int i = 0; i < PAIRS; i++) {
                new ConnectionEnd(senders.get(i), PSN_A).connect(new ConnectionEnd(receivers.get(i), PSN_B), OPTIONS);
                receivers.get(i).postReceive(ReceiveRequest.of(1000, nodes.b.region.slice(i * MESSAGE, MESSAGE)));
                senders.get(i)
                        .postSend(Send.of(1, nodes.a.region.slice(i * MESSAGE, MESSAGE))
                                .signaled());
            }
            nodes.fabric.runUntil(() -> nodes.requestPsns(nodes.a).size() > 8, SECOND);
            assertThat(nodes.a.completions()).as("the messages are under way").isEmpty();

            QueuePair ending = side.equals("sender") ? senders.get(0) : receivers.get(0);
            if (how.equals("destroyed")) {
                ending.close();
            } else {
                move(ending, QueuePairState.valueOf(how));
            }
            nodes.runToRest();

            for (int i = 1; i < PAIRS; i++) {
                assertThat(of(nodes.a, senders.get(i)))
                        .allMatch(WorkCompletion::isSuccess)
                        .hasSize(1);
                assertThat(of(nodes.b, receivers.get(i)))
                        .allMatch(WorkCompletion::isSuccess)
                        .hasSize(1);
                assertThat(nodes.b.bytes(i * MESSAGE, MESSAGE)).isEqualTo(nodes.a.bytes(i * MESSAGE, MESSAGE));
            }
            if (side.equals("receiver")) {
                assertThat(of(nodes.a, senders.get(0)))
                        .extracting(WorkCompletion::status)
                        .containsExactly(WorkCompletionStatus.RETRY_EXC_ERR);
            } else {
                assertThat(of(nodes.b, receivers.get(0)))
                        .as("the message never ended")
                        .isEmpty();
                assertThat(receivers.get(0).state()).isEqualTo(QueuePairState.RTS);
            }
            boolean flushes = how.equals("ERR");
            assertThat(of(side.equals("sender") ? nodes.a : nodes.b, ending))
                    .extracting(WorkCompletion::status)
                    .containsExactly(
                            flushes
                                    ? new WorkCompletionStatus[] {WorkCompletionStatus.WR_FLUSH_ERR}
                                    : new WorkCompletionStatus[0]);
        }
    }

    @Test
    @DisplayName("§9: RESET after an error, and used again with fresh PSNs, counters and no old completions")
    void reuseAfterError() {
        try (TwoNodes nodes = TwoNodes.connected(OPTIONS)) {
            for (int round = 0; round < 3; round++) {
                int psn = 0xFFFFFE + round * 7 & 0xFFFFFF;
                nodes.b.postReceive(1001, 0, 4096);
                nodes.a.queuePair.postSend(
                        Send.of(1, nodes.a.region.slice(100, 4000)).signaled());
                nodes.a.queuePair.postSend(
                        RdmaRead.of(2, nodes.a.region.slice(0, 8)).from(0, 0));
                nodes.a.queuePair.postSend(Send.of(3).signaled());
                nodes.runToRest();
                assertThat(nodes.a.completions())
                        .extracting(WorkCompletion::status)
                        .endsWith(
                                WorkCompletionStatus.SUCCESS,
                                WorkCompletionStatus.REM_ACCESS_ERR,
                                WorkCompletionStatus.WR_FLUSH_ERR);
                assertThat(nodes.b.queuePair.state()).isEqualTo(QueuePairState.ERR);
                assertThat(nodes.b.nextAsyncEvent())
                        .isEqualTo(new AsyncEvent(AsyncEventType.QP_ACCESS_ERR, nodes.b.queuePair.number()));
                int seen = nodes.a.completions().size() + nodes.b.completions().size();
                nodes.a.queuePair.postSend(Send.of(4));
                nodes.fabric.runFor(MILLISECOND);
                move(nodes.a.queuePair, QueuePairState.RESET);
                move(nodes.b.queuePair, QueuePairState.RESET);
                nodes.connect(OPTIONS, psn, PSN_B + round);
                nodes.runToRest();
                assertThat(nodes.a.completions().size() + nodes.b.completions().size())
                        .as("the completion of request 4 went with RESET")
                        .isEqualTo(seen);
            }
        }
    }

    @Test
    @DisplayName("bug/16: a READ with a bad rkey: status 10 with wr_id and queue pair; the opcode is harmless")
    void opcodeOfAnError() {
        try (TwoNodes nodes = TwoNodes.connected(OPTIONS)) {
            nodes.a.queuePair.postSend(RdmaRead.of(77, nodes.a.region.slice(0, 8))
                    .from(nodes.b.region.address(), nodes.b.region.remoteKey() ^ 0x100));
            nodes.runToRest();
            WorkCompletion failed = nodes.a.completions().get(0);
            assertThat(failed.status().code()).isEqualTo(10);
            assertThat(failed.workRequestId()).isEqualTo(77);
            assertThat(failed.queuePairNumber()).isEqualTo(nodes.a.queuePair.number());
            assertThat(failed.opcode()).isNotNull();
            assertThat(failed.toString()).contains("wr_id 77", "REM_ACCESS_ERR").doesNotContain("null");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"modify to ERR", "peer destroys its queue pair"})
    @DisplayName(
            "bug/17: 100 sends and 100 receives outstanding and a beacon: each completes, in order, the beacon last")
    void everythingIsFlushed(String how) {
        try (TwoNodes nodes = TwoNodes.connected(OPTIONS)) {
            int count = 100;
            if (how.startsWith("peer")) {
                nodes.b.queuePair.close();
            }
            for (int i = 0; i < count; i++) {
                nodes.a.queuePair.postReceive(ReceiveRequest.of(1000 + i));
                Send send = Send.of(i, nodes.a.region.slice(0, i));
                nodes.a.queuePair.postSend(i % 2 == 0 ? send : send.signaled());
            }
            if (how.startsWith("peer")) {
                nodes.runToRest();
                assertThat(nodes.a.queuePair.state()).isEqualTo(QueuePairState.ERR);
            } else {
                nodes.fabric.runFor(500); // on the wire, not yet answered
                move(nodes.a.queuePair, QueuePairState.ERR);
            }
            nodes.a.queuePair.postSend(Send.of(count));
            nodes.runToRest();

            List<Long> ids = nodes.a.completions().stream()
                    .map(WorkCompletion::workRequestId)
                    .toList();
            assertThat(ids.stream().filter(id -> id < 1000).toList())
                    .isEqualTo(LongStream.rangeClosed(0, count).boxed().toList());
            assertThat(ids.stream().filter(id -> id >= 1000).toList())
                    .isEqualTo(LongStream.range(1000, 1000 + count).boxed().toList());
            assertThat(ids).as("beacon").endsWith((long) count);
            assertThat(nodes.a.completions().subList(1, ids.size()))
                    .extracting(WorkCompletion::status)
                    .containsOnly(WorkCompletionStatus.WR_FLUSH_ERR);
        }
    }

    @Test
    @DisplayName("bug/42: an MTU of 4096 on a port of 1024 is refused and leaves INIT; the smaller of both MTUs works")
    void pathMtuAboveThePort() {
        try (Fabric fabric = new Fabric(5)) {
            Node large = new Node(fabric.addDevice("a", Gid.parse("192.0.2.2")), 1 << 16);
            Node small = new Node(fabric.addDevice("b", Gid.parse("192.0.2.3"), PathMtu.MTU_1024), 1 << 16);
            small.queuePair.modify(init());
            assertRefused(
                    small.queuePair, readyToReceive(large.device.gid(), PathMtu.MTU_4096), "PATH_MTU 4096", "1024");
            assertThat(small.queuePair.state()).isEqualTo(QueuePairState.INIT);
            move(small.queuePair, QueuePairState.RESET);

            PathMtu mtu = small.device.rdma().port().activeMtu();
            new ConnectionEnd(large.queuePair, 1)
                    .connect(new ConnectionEnd(small.queuePair, 2), ConnectOptions.DEFAULT.pathMtu(mtu));
            large.queuePair.postSend(RdmaWrite.of(1, large.region.slice(0, 5000))
                    .to(small.region.address(), small.region.remoteKey())
                    .signaled());
            fabric.runUntilIdle(SECOND);
            assertThat(large.completions()).allMatch(WorkCompletion::isSuccess).hasSize(1);
            large.close();
            small.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"::", "2001:db8::1"})
    @DisplayName(
            "bug/11: an empty GID, or one of the other family, is refused in words; INIT stays, and another try works")
    void wrongGid(String gid) {
        try (TwoNodes nodes = new TwoNodes("192.0.2.2", "192.0.2.3", 1 << 16)) {
            nodes.a.queuePair.modify(init());
            assertRefused(nodes.a.queuePair, readyToReceive(Gid.parse(gid), PathMtu.MTU_1024), "AV");
            assertThat(nodes.a.queuePair.state()).isEqualTo(QueuePairState.INIT);
            nodes.a.queuePair.modify(readyToReceive(nodes.b.device.gid(), PathMtu.MTU_1024));
            assertThat(nodes.a.queuePair.state()).isEqualTo(QueuePairState.RTR);
        }
    }

    private static QueuePairAttributes init() {
        return QueuePairAttributes.builder()
                .state(QueuePairState.INIT)
                .pkeyIndex(0)
                .port(1)
                .accessFlags(AccessFlag.REMOTE_WRITE)
                .build();
    }

    private static QueuePairAttributes readyToReceive(Gid peer, PathMtu mtu) {
        return QueuePairAttributes.builder()
                .state(QueuePairState.RTR)
                .addressVector(AddressVector.of(peer))
                .pathMtu(mtu)
                .destinationQueuePair(17)
                .receivePsn(0)
                .maxDestinationReadAtomic(1)
                .minRnrTimer(1)
                .build();
    }

    private static void assertRefused(QueuePair queuePair, QueuePairAttributes attributes, String... words) {
        assertThatThrownBy(() -> queuePair.modify(attributes)).isInstanceOfSatisfying(RdmaException.class, e -> {
            assertThat(e.code()).isEqualTo(ErrorCode.EINVAL);
            assertThat(e.getMessage()).contains(words);
        });
    }
}
