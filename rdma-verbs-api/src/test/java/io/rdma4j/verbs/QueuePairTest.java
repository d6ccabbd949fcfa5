package io.rdma4j.verbs;

import static io.rdma4j.verbs.QueuePairAttribute.ACCESS_FLAGS;
import static io.rdma4j.verbs.QueuePairAttribute.AV;
import static io.rdma4j.verbs.QueuePairAttribute.DEST_QPN;
import static io.rdma4j.verbs.QueuePairAttribute.MAX_DEST_RD_ATOMIC;
import static io.rdma4j.verbs.QueuePairAttribute.MAX_QP_RD_ATOMIC;
import static io.rdma4j.verbs.QueuePairAttribute.MIN_RNR_TIMER;
import static io.rdma4j.verbs.QueuePairAttribute.PATH_MTU;
import static io.rdma4j.verbs.QueuePairAttribute.PKEY_INDEX;
import static io.rdma4j.verbs.QueuePairAttribute.PORT;
import static io.rdma4j.verbs.QueuePairAttribute.QKEY;
import static io.rdma4j.verbs.QueuePairAttribute.RETRY_CNT;
import static io.rdma4j.verbs.QueuePairAttribute.RNR_RETRY;
import static io.rdma4j.verbs.QueuePairAttribute.RQ_PSN;
import static io.rdma4j.verbs.QueuePairAttribute.SQ_PSN;
import static io.rdma4j.verbs.QueuePairAttribute.STATE;
import static io.rdma4j.verbs.QueuePairAttribute.TIMEOUT;
import static io.rdma4j.verbs.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a queue pair does by default: connecting by three modifies, and posting lists. */
class QueuePairTest {
    private static final QueuePairAddress PEER = new QueuePairAddress(0x33, 0x444444, Gid.parse("192.0.2.1"));

    private final FakeQueuePair qp = new FakeQueuePair(QueuePairType.RC, 2);

    @Test
    void connectGoesToRtsWithWhatEachStepRequires() {
        qp.connect(PEER);

        assertThat(qp.state()).isEqualTo(QueuePairState.RTS);
        assertThat(qp.modified).hasSize(3);
        QueuePairAttributes init = qp.modified.get(0);
        assertThat(init.mask()).containsExactlyInAnyOrder(STATE, PKEY_INDEX, PORT, ACCESS_FLAGS);
        assertThat(init.port()).isEqualTo(1);
        assertThat(init.accessFlags())
                .containsExactly(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);

        QueuePairAttributes rtr = qp.modified.get(1);
        assertThat(rtr.mask())
                .containsExactlyInAnyOrder(STATE, AV, PATH_MTU, DEST_QPN, RQ_PSN, MAX_DEST_RD_ATOMIC, MIN_RNR_TIMER);
        assertThat(rtr.addressVector()).isEqualTo(AddressVector.of(PEER.gid()));
        assertThat(rtr.pathMtu()).as("the port's active MTU").isEqualTo(PathMtu.MTU_1024);
        assertThat(rtr.destinationQueuePair()).isEqualTo(0x33);
        assertThat(rtr.receivePsn()).isEqualTo(0x444444);
        assertThat(rtr.maxDestinationReadAtomic()).isEqualTo(16);
        assertThat(rtr.minRnrTimer()).isEqualTo(12);

        QueuePairAttributes rts = qp.modified.get(2);
        assertThat(rts.mask())
                .containsExactlyInAnyOrder(STATE, TIMEOUT, RETRY_CNT, RNR_RETRY, SQ_PSN, MAX_QP_RD_ATOMIC);
        assertThat(rts.timeout()).isEqualTo(14);
        assertThat(rts.retryCount()).isEqualTo(7);
        assertThat(rts.rnrRetry()).isEqualTo(7);
        assertThat(rts.sendPsn()).isEqualTo(0x222222);
        assertThat(rts.maxReadAtomic()).isEqualTo(16);
    }

    @Test
    void connectTakesEveryOption() {
        qp.connect(
                PEER,
                ConnectOptions.DEFAULT
                        .pathMtu(PathMtu.MTU_256)
                        .timeout(18)
                        .retryCount(3)
                        .rnrRetry(2)
                        .minRnrTimer(1)
                        .maxReadAtomic(4)
                        .access(AccessFlag.REMOTE_READ)
                        .trafficClass(0x68)
                        .hopLimit(9));

        assertThat(qp.modified.get(0).accessFlags()).containsExactly(AccessFlag.REMOTE_READ);
        QueuePairAttributes rtr = qp.modified.get(1);
        assertThat(rtr.addressVector()).isEqualTo(new AddressVector(PEER.gid(), 0x68, 9, 0));
        assertThat(rtr.pathMtu()).isEqualTo(PathMtu.MTU_256);
        assertThat(rtr.minRnrTimer()).isEqualTo(1);
        assertThat(rtr.maxDestinationReadAtomic()).isEqualTo(4);
        QueuePairAttributes rts = qp.modified.get(2);
        assertThat(rts.timeout()).isEqualTo(18);
        assertThat(rts.retryCount()).isEqualTo(3);
        assertThat(rts.rnrRetry()).isEqualTo(2);
        assertThat(rts.maxReadAtomic()).isEqualTo(4);
    }

    @Test
    void optionsLeaveTheOriginalAlone() {
        ConnectOptions other =
                ConnectOptions.DEFAULT.timeout(18).pathMtu(PathMtu.MTU_512).access();

        assertThat(ConnectOptions.DEFAULT.timeout()).isEqualTo(14);
        assertThat(ConnectOptions.DEFAULT.pathMtu()).isNull();
        assertThat(ConnectOptions.DEFAULT.trafficClass()).isZero();
        assertThat(ConnectOptions.DEFAULT.hopLimit()).isEqualTo(64);
        assertThat(ConnectOptions.DEFAULT.accessFlags()).hasSize(3);
        assertThat(other.timeout()).isEqualTo(18);
        assertThat(other.pathMtu()).isEqualTo(PathMtu.MTU_512);
        assertThat(other.accessFlags()).isEmpty();
        assertThat(other.retryCount()).isEqualTo(7);
        assertThat(other).isNotEqualTo(ConnectOptions.DEFAULT);
    }

    @Test
    void anUnreliableConnectionIsNotGivenWhatItMustNotHave() {
        FakeQueuePair uc = new FakeQueuePair(QueuePairType.UC, 1);
        uc.connect(PEER);

        assertThat(uc.modified.get(1).mask()).containsExactlyInAnyOrder(STATE, AV, PATH_MTU, DEST_QPN, RQ_PSN);
        assertThat(uc.modified.get(2).mask()).containsExactlyInAnyOrder(STATE, SQ_PSN);
    }

    @Test
    void aDatagramQueuePairIsNotConnected() {
        FakeQueuePair ud = new FakeQueuePair(QueuePairType.UD, 1);

        assertRefused(ErrorCode.EINVAL, () -> ud.connect(PEER)).hasMessageContaining("UD");
        assertThat(ud.modified).isEmpty();
    }

    @Test
    void activateGoesToRtsWithoutAPeer() {
        FakeQueuePair ud = new FakeQueuePair(QueuePairType.UD, 1);
        ud.activate(0x80010000);

        assertThat(ud.state()).isEqualTo(QueuePairState.RTS);
        assertThat(ud.modified)
                .extracting(QueuePairAttributes::mask)
                .containsExactly(
                        EnumSet.of(STATE, PKEY_INDEX, PORT, QKEY), EnumSet.of(STATE), EnumSet.of(STATE, SQ_PSN));
        assertThat(ud.modified.get(0).qkey()).isEqualTo(0x80010000);
        assertThat(ud.modified.get(2).sendPsn()).isEqualTo(0x222222);
        assertRefused(ErrorCode.EINVAL, () -> ud.activate(1)).hasMessageContaining("IBV_QPS_RESET or IBV_QPS_INIT");
    }

    @Test
    void activateIsForDatagrams() {
        assertRefused(ErrorCode.EINVAL, () -> qp.activate(1)).hasMessageContaining("connect(peer)");
        assertThat(qp.modified).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"RESET", "INIT"})
    void connectIsRefusedInOtherStates(QueuePairState state) {
        qp.modify(QueuePairAttributes.builder().state(state).build());

        assertRefused(ErrorCode.EINVAL, () -> qp.connect(PEER))
                .hasMessageContaining(state.toString())
                .hasMessageContaining("IBV_QPS_RESET");
        assertThat(qp.modified).hasSize(1);
    }

    @Test
    void aListIsPostedInOrderUpToTheFirstBadRequest() {
        List<Send> sends = List.of(Send.of(1), Send.of(2), Send.of(3), Send.of(4));

        PostException refusal = assertThrows(PostException.class, () -> qp.postSend(sends));

        assertThat(refusal.index()).isEqualTo(2);
        assertThat(refusal.code()).isEqualTo(ErrorCode.ENOMEM);
        assertThat(refusal).hasMessage("ENOMEM: request 2 of the list: the queue is full");
        assertThat(qp.posted).containsExactly(sends.get(0), sends.get(1));
    }

    @Test
    void aListOfReceivesIsPostedInOrderUpToTheFirstBadRequest() {
        List<ReceiveRequest> receives = List.of(ReceiveRequest.of(1), ReceiveRequest.of(2), ReceiveRequest.of(3));

        PostException refusal = assertThrows(PostException.class, () -> qp.postReceive(receives));

        assertThat(refusal.index()).isEqualTo(2);
        assertThat(qp.posted).containsExactly(receives.get(0), receives.get(1));
    }

    @Test
    void anEmptyListIsPostedWithoutEffect() {
        qp.postSend(List.of());
        qp.postReceive(List.of());

        assertThat(qp.posted).isEmpty();
    }

    @Test
    void theSameInstanceIsPostedAgainAndAgain() {
        SendRequest write = RdmaWrite.of(1).to(0x1000, 1);
        qp.postSend(write);
        qp.postSend(write);

        assertThat(qp.posted).allMatch(posted -> posted == write).hasSize(2);
    }
}
