package io.rdma4j.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class WorkCompletionTest {
    private final WorkCompletion wc = new WorkCompletion();

    @Test
    void anArrayHasDistinctCompletions() {
        assertThat(WorkCompletion.array(3)).hasSize(3).doesNotContainNull().doesNotHaveDuplicates();
        assertThat(WorkCompletion.array(0)).isEmpty();
        assertThatThrownBy(() -> WorkCompletion.array(-1))
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.EINVAL))
                .hasMessageContaining("-1");
    }

    @Test
    void aReceiveWithImmediateData() {
        wc.reset(7, WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.RECV, 0x11)
                .lengths(1L << 31)
                .immediate(0xCAFE)
                .source(0x22)
                .addFlags(WorkCompletion.FLAG_GRH);

        assertThat(wc.isSuccess()).isTrue();
        assertThat(wc.workRequestId()).isEqualTo(7);
        assertThat(wc.opcode()).isEqualTo(WorkCompletionOpcode.RECV);
        assertThat(wc.queuePairNumber()).isEqualTo(0x11);
        assertThat(wc.byteLength()).isEqualTo(1L << 31);
        assertThat(wc.hasImmediate()).isTrue();
        assertThat(wc.immediateData()).isEqualTo(0xCAFE);
        assertThat(wc.sourceQueuePair()).isEqualTo(0x22);
        assertThat(wc.flags()).isEqualTo(3);
        assertThat(wc).hasToString("wr_id 7 qp 0x11 IBV_WC_SUCCESS IBV_WC_RECV 2147483648 bytes imm 0xcafe");
    }

    @Test
    void aReceiveThatInvalidatedAKey() {
        wc.reset(7, WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.RECV, 0x11)
                .invalidated(0xCAFE_0001);

        assertThat(wc.hasInvalidated()).isTrue();
        assertThat(wc.hasImmediate()).isFalse();
        assertThat(wc.invalidatedKey()).isEqualTo(0xCAFE_0001);
        assertThat(wc.flags()).isEqualTo(8);
        assertThat(wc.copy().invalidatedKey()).isEqualTo(0xCAFE_0001);
        assertThat(wc).hasToString("wr_id 7 qp 0x11 IBV_WC_SUCCESS IBV_WC_RECV 0 bytes invalidated 0xcafe0001");
        wc.reset(8, WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.SEND, 0x12);
        assertThat(wc.hasInvalidated()).isFalse();
        assertThat(wc.invalidatedKey()).isZero();
    }

    @Test
    void aFailureTellsItsCause() {
        wc.reset(8, WorkCompletionStatus.REM_ACCESS_ERR, WorkCompletionOpcode.RDMA_WRITE, 0x11)
                .error(0x62, "rkey 0x1234 is not known");

        assertThat(wc.isSuccess()).isFalse();
        assertThat(wc.vendorError()).isEqualTo(0x62);
        assertThat(wc.cause()).isEqualTo("rkey 0x1234 is not known");
        assertThat(wc)
                .hasToString("wr_id 8 qp 0x11 IBV_WC_REM_ACCESS_ERR (remote access error) vendor_err 98: "
                        + "rkey 0x1234 is not known");
    }

    @Test
    void resetForgetsTheFormerCompletion() {
        wc.reset(7, WorkCompletionStatus.GENERAL_ERR, WorkCompletionOpcode.RECV, 0x11)
                .lengths(9)
                .immediate(1)
                .source(2)
                .error(3, "x");
        wc.reset(8, WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.SEND, 0x12);

        assertThat(wc.byteLength()).isZero();
        assertThat(wc.immediateData()).isZero();
        assertThat(wc.hasImmediate()).isFalse();
        assertThat(wc.flags()).isZero();
        assertThat(wc.sourceQueuePair()).isZero();
        assertThat(wc.vendorError()).isZero();
        assertThat(wc.cause()).isEmpty();
    }

    @Test
    void aCopyOutlivesTheNextPoll() {
        wc.reset(7, WorkCompletionStatus.GENERAL_ERR, WorkCompletionOpcode.RECV, 0x11)
                .lengths(9)
                .immediate(1)
                .source(2)
                .error(3, "x");
        WorkCompletion copy = wc.copy();
        wc.reset(8, WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.SEND, 0x12);

        assertThat(copy)
                .usingRecursiveComparison()
                .isEqualTo(new WorkCompletion()
                        .reset(7, WorkCompletionStatus.GENERAL_ERR, WorkCompletionOpcode.RECV, 0x11)
                        .lengths(9)
                        .immediate(1)
                        .source(2)
                        .error(3, "x"));
    }
}
