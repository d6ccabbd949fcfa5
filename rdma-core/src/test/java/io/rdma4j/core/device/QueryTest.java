package io.rdma4j.core.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.verbs.AtomicCapability;
import io.rdma4j.verbs.DeviceAttributes;
import io.rdma4j.verbs.DeviceCapability;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairCapabilities;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairType;
import io.rdma4j.verbs.RdmaException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the queries of device, port, P_Key table and queue pair tell. */
@DisplayName("queries")
class QueryTest {
    private final Tape tape = new Tape();

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 2, 255, Integer.MAX_VALUE})
    @DisplayName("a port that is not there is EINVAL")
    void badPort(int number) {
        refused(() -> tape.device.port(number), "is not in 1..1");
        tape.close();
    }

    @Test
    @DisplayName("port 1 is the port")
    void port() {
        assertThat(tape.device.port(1)).isEqualTo(tape.device.port());
        tape.close();
    }

    @Test
    @DisplayName("the P_Key table has the default key alone")
    void partitionKeys() {
        assertThat(tape.device.partitionKey(0)).isEqualTo(0xFFFF);
        assertThat(tape.device.partitionKeyIndex(0xFFFF)).isZero();
        for (int index : new int[] {-1, 1, Integer.MAX_VALUE}) {
            refused(() -> tape.device.partitionKey(index), "is not in 0..0");
        }
        for (int key : new int[] {0, 0x7FFF, -1, 0x1FFFF}) {
            refused(() -> tape.device.partitionKeyIndex(key), "is not in the table");
        }
        tape.close();
    }

    @Test
    @DisplayName("a device tells its identity, what it can, and that atomics are atomic among its queue pairs")
    void identity() {
        DeviceAttributes a = tape.device.attributes();
        assertThat(a.systemImageGuid()).isEqualTo(a.nodeGuid()).isNotZero();
        assertThat(a.atomicCapability()).isEqualTo(AtomicCapability.HCA);
        assertThat(a.capabilities()).contains(DeviceCapability.RC_RNR_NAK_GEN, DeviceCapability.PORT_ACTIVE_EVENT);
        assertThat(DeviceCapability.bits(a.capabilities()) & 0x1000).isEqualTo(0x1000);
        assertThat(a.features().maxPartitionKeys()).isEqualTo(tape.device.port().pkeyTableLength());
        tape.close();
    }

    @Test
    @DisplayName("§9: a queue pair tells what it was made with")
    void initialAttributes() {
        QueuePairCapabilities sizes = new QueuePairCapabilities(3, 5, 2, 1, 24);
        QueuePair qp = tape.domain.createQueuePair(QueuePairConfig.reliable(tape.sendQueue, tape.receiveQueue)
                .capabilities(sizes)
                .signalAll());
        QueuePairConfig made = qp.config();
        assertThat(made.type()).isEqualTo(QueuePairType.RC);
        assertThat(made.sendCompletionQueue()).isSameAs(tape.sendQueue);
        assertThat(made.receiveCompletionQueue()).isSameAs(tape.receiveQueue);
        assertThat(made.capabilities()).isEqualTo(sizes).isEqualTo(qp.capabilities());
        assertThat(made.isSignalAll()).isTrue();
        assertThat(made.sharedReceiveQueue()).isNull();
        qp.close();
        tape.close();
    }

    private static void refused(ThrowingCallable call, String words) {
        assertThatExceptionOfType(RdmaException.class)
                .isThrownBy(call)
                .withMessageContaining(words)
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.EINVAL));
    }
}
