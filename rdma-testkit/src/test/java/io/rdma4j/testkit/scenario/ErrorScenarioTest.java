package io.rdma4j.testkit.scenario;

import static io.rdma4j.testkit.scenario.TwoNodes.MILLISECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.wire.Syndrome;
import io.rdma4j.verbs.AsyncEvent;
import io.rdma4j.verbs.AsyncEventType;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.FetchAndAdd;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Errors that end a connection, as both sides see them (§8). */
class ErrorScenarioTest {
    private static final int TARGET = 32 << 10;

    @Test
    void badRemoteKeyFailsBothQueuePairsAndSaysWhy() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            int badKey = nodes.b.region.remoteKey() ^ 0x100;
            nodes.b.postReceive(1001, TARGET, 100);
            nodes.b.postReceive(1002, TARGET, 100);
            long start = nodes.fabric.nowNs();
            nodes.a.queuePair.postSend(
                    RdmaWrite.of(1, nodes.a.region.slice(0, 3000)).to(nodes.b.region.address(), badKey));
            nodes.a.queuePair.postSend(Send.of(2, nodes.a.region.slice(0, 100)));
            nodes.a.queuePair.postSend(Send.of(3, nodes.a.region.slice(0, 100)).signaled());

            nodes.runUntilCompletions(nodes.a, 3, MILLISECOND);

            assertThat(nodes.fabric.nowNs() - start).isLessThan(MILLISECOND);
            List<WorkCompletion> completions = nodes.a.completions();
            assertThat(completions).extracting(WorkCompletion::workRequestId).containsExactly(1L, 2L, 3L);
            assertThat(completions)
                    .extracting(WorkCompletion::status)
                    .containsExactly(
                            WorkCompletionStatus.REM_ACCESS_ERR,
                            WorkCompletionStatus.WR_FLUSH_ERR,
                            WorkCompletionStatus.WR_FLUSH_ERR);
            assertThat(completions.get(0).cause()).contains(String.format("rkey 0x%08x", badKey));
            assertThat(completions.get(1).cause()).contains("REM_ACCESS_ERR");
            assertThat(completions)
                    .extracting(WorkCompletion::queuePairNumber)
                    .containsOnly(nodes.a.queuePair.number());
            assertThat(nodes.naks(nodes.b, Syndrome.NAK_REMOTE_ACCESS)).hasSize(1);
            assertBothFailed(nodes);
            assertThat(nodes.b.completions())
                    .extracting(WorkCompletion::status)
                    .containsExactly(WorkCompletionStatus.WR_FLUSH_ERR, WorkCompletionStatus.WR_FLUSH_ERR);
            assertThat(nodes.b.completions())
                    .extracting(WorkCompletion::workRequestId)
                    .containsExactly(1001L, 1002L);
            assertThat(nodes.b.nextAsyncEvent())
                    .isEqualTo(new AsyncEvent(AsyncEventType.QP_ACCESS_ERR, nodes.b.queuePair.number()));
        }
    }

    @Test
    void readBeyondTheRegionIsARemoteAccessError() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            long end = nodes.b.region.address() + nodes.b.region.length();
            nodes.a.queuePair.postSend(
                    RdmaRead.of(1, nodes.a.region.slice(0, 100)).from(end - 99, nodes.b.region.remoteKey()));

            nodes.runToRest();

            assertFirstFailure(nodes, WorkCompletionStatus.REM_ACCESS_ERR);
            assertBothFailed(nodes);
        }
    }

    @Test
    void unalignedAtomicIsAnInvalidRequest() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            nodes.a.queuePair.postSend(FetchAndAdd.of(1, nodes.a.region.slice(0, 8), 1)
                    .at(nodes.b.region.address() + 4, nodes.b.region.remoteKey()));

            nodes.runToRest();

            assertFirstFailure(nodes, WorkCompletionStatus.REM_INV_REQ_ERR);
            assertThat(nodes.naks(nodes.b, Syndrome.NAK_INVALID_REQUEST)).hasSize(1);
            assertThat(nodes.b.nextAsyncEvent())
                    .isEqualTo(new AsyncEvent(AsyncEventType.QP_REQ_ERR, nodes.b.queuePair.number()));
        }
    }

    @Test
    void operationTheQueuePairDoesNotAllowIsAnInvalidRequest() {
        ConnectOptions noRights =
                ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_1024).access();
        try (TwoNodes nodes = TwoNodes.connected(noRights)) {
            nodes.a.queuePair.postSend(RdmaWrite.of(1, nodes.a.region.slice(0, 100))
                    .to(nodes.b.region.address(), nodes.b.region.remoteKey()));

            nodes.runToRest();

            assertFirstFailure(nodes, WorkCompletionStatus.REM_INV_REQ_ERR);
            assertBothFailed(nodes);
        }
    }

    @Test
    void messageLongerThanTheReceiveFailsBothSidesInTheirOwnWords() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            nodes.b.postReceive(1001, TARGET, 99);
            nodes.a.queuePair.postSend(Send.of(1, nodes.a.region.slice(0, 100)));

            nodes.runToRest();

            assertFirstFailure(nodes, WorkCompletionStatus.REM_INV_REQ_ERR);
            assertThat(nodes.b.completions())
                    .extracting(WorkCompletion::status)
                    .containsExactly(WorkCompletionStatus.LOC_LEN_ERR);
            assertThat(nodes.b.nextAsyncEvent()).isNull();
        }
    }

    @Test
    void badLocalKeyOfASendIsFoundBeforeAnythingIsSent() {
        try (TwoNodes nodes = TwoNodes.connected()) {
            ScatterGatherElement element = nodes.a.region.slice(0, 100);
            ScatterGatherElement bad =
                    new ScatterGatherElement(element.address(), element.length(), element.localKey() + 1);
            nodes.a.queuePair.postSend(Send.of(1, bad));

            nodes.runToRest();

            assertFirstFailure(nodes, WorkCompletionStatus.LOC_PROT_ERR);
            assertThat(nodes.requestPsns(nodes.a)).isEmpty();
            assertThat(nodes.b.queuePair.state()).isEqualTo(QueuePairState.RTS);
        }
    }

    @Test
    void requestToAFailedQueuePairMeetsSilence() {
        ConnectOptions options = ConnectOptions.DEFAULT.timeout(8).retryCount(1);
        try (TwoNodes nodes = TwoNodes.connected(options)) {
            nodes.b.queuePair.modify(
                    QueuePairAttributes.builder().state(QueuePairState.ERR).build());
            nodes.a.queuePair.postSend(Send.of(1, nodes.a.region.slice(0, 100)));

            nodes.runToRest();

            assertFirstFailure(nodes, WorkCompletionStatus.RETRY_EXC_ERR);
            assertThat(nodes.fabric.trace().entries(frame -> frame.from().equals("b")))
                    .isEmpty();
        }
    }

    @Test
    void requestToADestroyedQueuePairMeetsSilence() {
        ConnectOptions options = ConnectOptions.DEFAULT.timeout(8).retryCount(1);
        try (TwoNodes nodes = TwoNodes.connected(options)) {
            nodes.b.queuePair.close();
            nodes.a.queuePair.postSend(Send.of(1, nodes.a.region.slice(0, 100)));

            nodes.runToRest();

            assertFirstFailure(nodes, WorkCompletionStatus.RETRY_EXC_ERR);
            assertThat(nodes.b.counter("dropped_unknown_qp")).isEqualTo(2);
        }
    }

    private static void assertFirstFailure(TwoNodes nodes, WorkCompletionStatus status) {
        assertThat(nodes.a.completions()).extracting(WorkCompletion::status).containsExactly(status);
        assertThat(nodes.a.completions().get(0).workRequestId()).isEqualTo(1);
        assertThat(nodes.a.completions().get(0).cause()).isNotEmpty();
        assertThat(nodes.a.queuePair.state()).isEqualTo(QueuePairState.ERR);
    }

    private static void assertBothFailed(TwoNodes nodes) {
        assertThat(nodes.a.queuePair.state()).isEqualTo(QueuePairState.ERR);
        assertThat(nodes.b.queuePair.state()).isEqualTo(QueuePairState.ERR);
    }
}
