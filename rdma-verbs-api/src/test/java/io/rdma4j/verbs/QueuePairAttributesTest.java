package io.rdma4j.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class QueuePairAttributesTest {
    private static final AddressVector PEER = AddressVector.of(Gid.parse("192.0.2.1"));

    @Test
    void nothingIsPresentAtFirstAndReadsAsNothing() {
        QueuePairAttributes none = QueuePairAttributes.builder().build();

        assertThat(none.mask()).isEmpty();
        assertThat(none.state()).isEqualTo(QueuePairState.UNKNOWN);
        assertThat(none.currentState()).isEqualTo(QueuePairState.UNKNOWN);
        assertThat(none.accessFlags()).isEmpty();
        assertThat(none.addressVector().destination()).isEqualTo(Gid.ZERO);
        assertThat(none.pathMtu()).isEqualTo(PathMtu.MTU_256);
        assertThat(none.timeout()).isZero();
        assertThat(none.sqdAsyncNotify()).isFalse();
        assertThat(none.isSendQueueDraining()).isFalse();
        assertThat(none).hasToString("{}");
    }

    @Test
    void whatIsSetIsInTheMaskEvenWhenItIsZero() {
        QueuePairAttributes attributes = QueuePairAttributes.builder()
                .state(QueuePairState.INIT)
                .pkeyIndex(0)
                .port(1)
                .accessFlags()
                .build();

        assertThat(attributes.mask())
                .containsExactlyInAnyOrder(
                        QueuePairAttribute.STATE,
                        QueuePairAttribute.PKEY_INDEX,
                        QueuePairAttribute.PORT,
                        QueuePairAttribute.ACCESS_FLAGS);
        assertThat(attributes.has(QueuePairAttribute.PKEY_INDEX)).isTrue();
        assertThat(attributes.has(QueuePairAttribute.QKEY)).isFalse();
    }

    @Test
    void everyAttributeOfTheBuilderIsReadBack() {
        QueuePairAttributes all = all().build();

        assertThat(all.mask())
                .isEqualTo(EnumSet.complementOf(EnumSet.of(
                        QueuePairAttribute.ALT_PATH, QueuePairAttribute.PATH_MIG_STATE, QueuePairAttribute.CAP)));
        assertThat(all.state()).isEqualTo(QueuePairState.RTS);
        assertThat(all.currentState()).isEqualTo(QueuePairState.RTR);
        assertThat(all.sqdAsyncNotify()).isTrue();
        assertThat(all.accessFlags()).containsExactly(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);
        assertThat(all.addressVector()).isEqualTo(PEER);
        assertThat(all.pathMtu()).isEqualTo(PathMtu.MTU_2048);
        assertThat(new int[] {
                    all.pkeyIndex(),
                    all.port(),
                    all.qkey(),
                    all.timeout(),
                    all.retryCount(),
                    all.rnrRetry(),
                    all.receivePsn(),
                    all.maxReadAtomic(),
                    all.minRnrTimer(),
                    all.sendPsn(),
                    all.maxDestinationReadAtomic(),
                    all.destinationQueuePair()
                })
                .containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    }

    @Test
    void whatIsBuiltDoesNotChangeAnyMore() {
        QueuePairAttributes.Builder builder = QueuePairAttributes.builder().timeout(14);
        Set<AccessFlag> rights = EnumSet.of(AccessFlag.REMOTE_READ);
        QueuePairAttributes built = builder.accessFlags(rights).build();
        rights.add(AccessFlag.REMOTE_WRITE);
        builder.timeout(31).retryCount(7);

        assertThat(built.timeout()).isEqualTo(14);
        assertThat(built.has(QueuePairAttribute.RETRY_CNT)).isFalse();
        assertThat(built.accessFlags()).containsExactly(AccessFlag.REMOTE_READ);
        assertThatThrownBy(() -> built.mask().clear()).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> built.accessFlags().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void aBuilderMayStartFromWhatIsThere() {
        QueuePairAttributes all = all().sendQueueDraining(true).build();
        QueuePairAttributes same = all.toBuilder().build();

        assertThat(same).isEqualTo(all).hasSameHashCodeAs(all);
        assertThat(same.isSendQueueDraining()).isTrue();
        assertThat(all.toBuilder().timeout(5).build()).isNotEqualTo(all);
    }

    @Test
    void textTellsWhatIsPresent() {
        assertThat(QueuePairAttributes.builder()
                        .accessFlags(AccessFlag.REMOTE_READ)
                        .state(QueuePairState.INIT)
                        .build())
                .hasToString("{IBV_QP_STATE=IBV_QPS_INIT, IBV_QP_ACCESS_FLAGS=[IBV_ACCESS_REMOTE_READ]}");
    }

    private static QueuePairAttributes.Builder all() {
        return QueuePairAttributes.builder()
                .state(QueuePairState.RTS)
                .currentState(QueuePairState.RTR)
                .sqdAsyncNotify(true)
                .accessFlags(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE)
                .addressVector(PEER)
                .pathMtu(PathMtu.MTU_2048)
                .pkeyIndex(1)
                .port(2)
                .qkey(3)
                .timeout(4)
                .retryCount(5)
                .rnrRetry(6)
                .receivePsn(7)
                .maxReadAtomic(8)
                .minRnrTimer(9)
                .sendPsn(10)
                .maxDestinationReadAtomic(11)
                .destinationQueuePair(12);
    }
}
