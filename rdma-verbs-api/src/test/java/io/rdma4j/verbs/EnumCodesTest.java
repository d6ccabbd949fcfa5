package io.rdma4j.verbs;

import static io.rdma4j.verbs.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The numbers of behaviour §20, which programs print and compare with those of rdma-core. */
class EnumCodesTest {
    @Test
    void workCompletionStatus() {
        assertThat(table(WorkCompletionStatus.values(), WorkCompletionStatus::code))
                .isEqualTo("0 SUCCESS, 1 LOC_LEN_ERR, 2 LOC_QP_OP_ERR, 3 LOC_EEC_OP_ERR, 4 LOC_PROT_ERR, "
                        + "5 WR_FLUSH_ERR, 6 MW_BIND_ERR, 7 BAD_RESP_ERR, 8 LOC_ACCESS_ERR, 9 REM_INV_REQ_ERR, "
                        + "10 REM_ACCESS_ERR, 11 REM_OP_ERR, 12 RETRY_EXC_ERR, 13 RNR_RETRY_EXC_ERR, "
                        + "14 LOC_RDD_VIOL_ERR, 15 REM_INV_RD_REQ_ERR, 16 REM_ABORT_ERR, 17 INV_EECN_ERR, "
                        + "18 INV_EEC_STATE_ERR, 19 FATAL_ERR, 20 RESP_TIMEOUT_ERR, 21 GENERAL_ERR, 22 TM_ERR, "
                        + "23 TM_RNDV_INCOMPLETE");
        assertFound(WorkCompletionStatus.values(), WorkCompletionStatus::code, WorkCompletionStatus::ofCode);
        assertRefused(ErrorCode.EINVAL, () -> WorkCompletionStatus.ofCode(24)).hasMessageContaining("24");
        assertRefused(ErrorCode.EINVAL, () -> WorkCompletionStatus.ofCode(-1));
        assertThat(WorkCompletionStatus.RETRY_EXC_ERR).hasToString("IBV_WC_RETRY_EXC_ERR");
        assertThat(WorkCompletionStatus.RETRY_EXC_ERR.description()).isEqualTo("transport retry counter exceeded");
    }

    @Test
    void workCompletionOpcode() {
        assertThat(table(WorkCompletionOpcode.values(), WorkCompletionOpcode::code))
                .isEqualTo("0 SEND, 1 RDMA_WRITE, 2 RDMA_READ, 3 COMP_SWAP, 4 FETCH_ADD, 5 BIND_MW, 6 LOCAL_INV, "
                        + "7 TSO, 8 FLUSH, 9 ATOMIC_WRITE, 10 REG_MR, 128 RECV, 129 RECV_RDMA_WITH_IMM");
        assertFound(WorkCompletionOpcode.values(), WorkCompletionOpcode::code, WorkCompletionOpcode::ofCode);
        assertRefused(ErrorCode.EINVAL, () -> WorkCompletionOpcode.ofCode(11)).hasMessageContaining("11");
        assertThat(WorkCompletionOpcode.RECV).hasToString("IBV_WC_RECV");
    }

    @Test
    void workRequestOpcode() {
        assertThat(table(WorkRequestOpcode.values(), WorkRequestOpcode::code))
                .isEqualTo("0 RDMA_WRITE, 1 RDMA_WRITE_WITH_IMM, 2 SEND, 3 SEND_WITH_IMM, 4 RDMA_READ, "
                        + "5 ATOMIC_CMP_AND_SWP, 6 ATOMIC_FETCH_AND_ADD, 7 LOCAL_INV, 8 BIND_MW, 9 SEND_WITH_INV, "
                        + "10 TSO, 11 DRIVER1, 14 FLUSH, 15 ATOMIC_WRITE, 32 REG_MR");
        assertFound(WorkRequestOpcode.values(), WorkRequestOpcode::code, WorkRequestOpcode::ofCode);
        assertRefused(ErrorCode.EINVAL, () -> WorkRequestOpcode.ofCode(12)).hasMessageContaining("12");
        assertThat(WorkRequestOpcode.SEND_WITH_IMM).hasToString("IBV_WR_SEND_WITH_IMM");
    }

    @Test
    void gidType() {
        assertThat(table(GidType.values(), GidType::code)).isEqualTo("0 IB, 1 ROCE_V1, 2 ROCE_V2");
        assertThat(GidType.ROCE_V2).hasToString("IBV_GID_TYPE_ROCE_V2");
    }

    @Test
    void asyncEventType() {
        assertThat(table(AsyncEventType.values(), AsyncEventType::code))
                .isEqualTo("0 CQ_ERR, 1 QP_FATAL, 2 QP_REQ_ERR, 3 QP_ACCESS_ERR, 4 COMM_EST, 5 SQ_DRAINED, "
                        + "6 PATH_MIG, 7 PATH_MIG_ERR, 8 DEVICE_FATAL, 9 PORT_ACTIVE, 10 PORT_ERR, 11 LID_CHANGE, "
                        + "12 PKEY_CHANGE, 13 SM_CHANGE, 14 SRQ_ERR, 15 SRQ_LIMIT_REACHED, 16 QP_LAST_WQE_REACHED, "
                        + "17 CLIENT_REREGISTER, 18 GID_CHANGE, 19 WQ_FATAL, 20 DEVICE_SPEED_CHANGE");
        assertFound(AsyncEventType.values(), AsyncEventType::code, AsyncEventType::ofCode);
        assertRefused(ErrorCode.EINVAL, () -> AsyncEventType.ofCode(21)).hasMessageContaining("21");
        assertThat(AsyncEventType.COMM_EST).hasToString("IBV_EVENT_COMM_EST");
    }

    @Test
    @DisplayName("§10: which element each event is about")
    void asyncEventElement() {
        Map<AsyncEventElement, String> byElement = Arrays.stream(AsyncEventType.values())
                .collect(Collectors.groupingBy(
                        AsyncEventType::element,
                        Collectors.mapping(type -> "" + type.code(), Collectors.joining(" "))));
        assertThat(byElement)
                .containsOnly(
                        Map.entry(AsyncEventElement.COMPLETION_QUEUE, "0"),
                        Map.entry(AsyncEventElement.QUEUE_PAIR, "1 2 3 4 5 6 7 16"),
                        Map.entry(AsyncEventElement.DEVICE, "8"),
                        Map.entry(AsyncEventElement.PORT, "9 10 11 12 13 17 18 20"),
                        Map.entry(AsyncEventElement.SHARED_RECEIVE_QUEUE, "14 15"),
                        Map.entry(AsyncEventElement.WORK_QUEUE, "19"));
    }

    @Test
    void states() {
        assertThat(table(QueuePairState.values(), QueuePairState::code))
                .isEqualTo("0 RESET, 1 INIT, 2 RTR, 3 RTS, 4 SQD, 5 SQE, 6 ERR, 7 UNKNOWN");
        assertFound(QueuePairState.values(), QueuePairState::code, QueuePairState::ofCode);
        assertRefused(ErrorCode.EINVAL, () -> QueuePairState.ofCode(8)).hasMessageContaining("8");
        assertThat(QueuePairState.RTS).hasToString("IBV_QPS_RTS");

        assertThat(table(PortState.values(), PortState::code))
                .isEqualTo("0 NOP, 1 DOWN, 2 INIT, 3 ARMED, 4 ACTIVE, 5 ACTIVE_DEFER");
        assertThat(PortState.ACTIVE).hasToString("IBV_PORT_ACTIVE");
    }

    @Test
    void types() {
        assertThat(table(QueuePairType.values(), QueuePairType::code)).isEqualTo("2 RC, 3 UC, 4 UD");
        assertThat(QueuePairType.RC).hasToString("IBV_QPT_RC");
    }

    @Test
    void accessFlags() {
        assertThat(table(AccessFlag.values(), AccessFlag::code))
                .isEqualTo("1 LOCAL_WRITE, 2 REMOTE_WRITE, 4 REMOTE_READ, 8 REMOTE_ATOMIC, 16 MEMORY_WINDOW_BIND, "
                        + "32 ZERO_BASED");
        assertThat(AccessFlag.REMOTE_READ).hasToString("IBV_ACCESS_REMOTE_READ");
        assertThat(AccessFlag.MEMORY_WINDOW_BIND).hasToString("IBV_ACCESS_MW_BIND");
    }

    @Test
    void queuePairAttributes() {
        assertThat(table(QueuePairAttribute.values(), attribute -> Integer.numberOfTrailingZeros(attribute.code())))
                .isEqualTo("0 STATE, 1 CUR_STATE, 2 EN_SQD_ASYNC_NOTIFY, 3 ACCESS_FLAGS, 4 PKEY_INDEX, 5 PORT, 6 QKEY, "
                        + "7 AV, 8 PATH_MTU, 9 TIMEOUT, 10 RETRY_CNT, 11 RNR_RETRY, 12 RQ_PSN, 13 MAX_QP_RD_ATOMIC, "
                        + "14 ALT_PATH, 15 MIN_RNR_TIMER, 16 SQ_PSN, 17 MAX_DEST_RD_ATOMIC, 18 PATH_MIG_STATE, 19 CAP, "
                        + "20 DEST_QPN");
        assertThat(Arrays.stream(QueuePairAttribute.values()).map(attribute -> Integer.bitCount(attribute.code())))
                .containsOnly(1);
        assertThat(QueuePairAttribute.DEST_QPN).hasToString("IBV_QP_DEST_QPN");
    }

    @Test
    void pathMtu() {
        assertThat(table(PathMtu.values(), PathMtu::code))
                .isEqualTo("1 MTU_256, 2 MTU_512, 3 MTU_1024, 4 MTU_2048, 5 MTU_4096");
        assertFound(PathMtu.values(), PathMtu::code, PathMtu::ofCode);
        assertFound(PathMtu.values(), PathMtu::bytes, PathMtu::ofBytes);
        assertFound(PathMtu.values(), PathMtu::bytes, PathMtu::largestNotAbove);
        assertThat(PathMtu.largestNotAbove(1420)).isEqualTo(PathMtu.MTU_1024);
        assertThat(PathMtu.largestNotAbove(65455)).isEqualTo(PathMtu.MTU_4096);
        assertRefused(ErrorCode.EINVAL, () -> PathMtu.ofBytes(1500)).hasMessageContaining("1500");
        assertRefused(ErrorCode.EINVAL, () -> PathMtu.ofCode(0));
        assertRefused(ErrorCode.EINVAL, () -> PathMtu.ofCode(6));
        assertRefused(ErrorCode.EINVAL, () -> PathMtu.largestNotAbove(255)).hasMessageContaining("255");
        assertThat(PathMtu.MTU_1024).hasToString("IBV_MTU_1024");
    }

    @Test
    void errorCodesAreThoseOfLinux() {
        assertThat(ErrorCode.EINVAL.code()).isEqualTo(22);
        assertThat(ErrorCode.ENOMEM.code()).isEqualTo(12);
        assertThat(ErrorCode.EBUSY.code()).isEqualTo(16);
        assertThat(ErrorCode.EDEADLK.code()).isEqualTo(35);
        assertThat(ErrorCode.EADDRINUSE.code()).isEqualTo(98);
        assertThat(ErrorCode.ETIMEDOUT.code()).isEqualTo(110);
        assertThat(Arrays.stream(ErrorCode.values()).map(ErrorCode::code))
                .isSorted()
                .doesNotHaveDuplicates();
    }

    private static <E extends Enum<E>> String table(E[] values, Function<E, Integer> code) {
        return Arrays.stream(values)
                .map(value -> code.apply(value) + " " + value.name())
                .collect(Collectors.joining(", "));
    }

    private static <E extends Enum<E>> void assertFound(
            E[] values, Function<E, Integer> number, Function<Integer, E> finder) {
        for (E value : values) {
            assertThat(finder.apply(number.apply(value))).isSameAs(value);
        }
    }
}
