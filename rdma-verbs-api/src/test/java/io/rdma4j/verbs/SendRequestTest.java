package io.rdma4j.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class SendRequestTest {
    private static final ScatterGatherElement FIRST = new ScatterGatherElement(0x1000, 64, 5);
    private static final ScatterGatherElement SECOND = new ScatterGatherElement(0x2000, 8, 6);
    private static final long REMOTE = 0xFFFF_FFFF_0000_0000L;
    private static final int RKEY = 0xCAFE_0001;
    private static final int IMMEDIATE = 0x8000_0001;

    private static final List<SendRequest> ONE_OF_EACH = List.of(
            Send.of(1, FIRST, SECOND).signaled(),
            RdmaWrite.of(2, FIRST).to(REMOTE, RKEY),
            RdmaRead.of(3, FIRST).from(REMOTE, RKEY),
            CompareAndSwap.of(4, SECOND, 10, 11).at(REMOTE, RKEY),
            FetchAndAdd.of(5, SECOND, 12).at(REMOTE, RKEY),
            SendWithImmediate.of(6, IMMEDIATE, FIRST),
            SendWithInvalidate.of(7, RKEY, FIRST).solicited(),
            RdmaWriteWithImmediate.of(8, IMMEDIATE, FIRST).to(REMOTE, RKEY).fenced(),
            Send.inline(9, new byte[] {1, 2}));

    @Test
    void aSendHasNoTarget() {
        SendRequest send = Send.of(1, FIRST, SECOND);

        assertThat(send.opcode()).isEqualTo(WorkRequestOpcode.SEND);
        assertThat(send.workRequestId()).isEqualTo(1);
        assertThat(send.elements()).containsExactly(FIRST, SECOND);
        assertThat(send.elementCount()).isEqualTo(2);
        assertThat(send.element(1)).isSameAs(SECOND);
        assertThat(send.remoteAddress()).isZero();
        assertThat(send.remoteKey()).isZero();
        assertThat(send.compare()).isZero();
        assertThat(send.swapOrAdd()).isZero();
    }

    @Test
    void writeAndReadHaveATarget() {
        SendRequest write = RdmaWrite.of(2, FIRST).to(REMOTE, RKEY);
        SendRequest read = RdmaRead.of(3, FIRST).from(REMOTE, RKEY);

        assertThat(write.opcode()).isEqualTo(WorkRequestOpcode.RDMA_WRITE);
        assertThat(read.opcode()).isEqualTo(WorkRequestOpcode.RDMA_READ);
        for (SendRequest request : List.of(write, read)) {
            assertThat(request.remoteAddress()).isEqualTo(REMOTE);
            assertThat(request.remoteKey()).isEqualTo(RKEY);
            assertThat(request.elements()).containsExactly(FIRST);
        }
    }

    @Test
    void atomicsHaveOperands() {
        CompareAndSwap swap = CompareAndSwap.of(4, SECOND, 10, 11).at(REMOTE, RKEY);
        FetchAndAdd add = FetchAndAdd.of(5, SECOND, -12).at(REMOTE, RKEY);

        assertThat(swap.opcode()).isEqualTo(WorkRequestOpcode.ATOMIC_CMP_AND_SWP);
        assertThat(swap.compare()).isEqualTo(10);
        assertThat(swap.swap()).isEqualTo(11);
        assertThat(swap.swapOrAdd()).isEqualTo(11);
        assertThat(add.opcode()).isEqualTo(WorkRequestOpcode.ATOMIC_FETCH_AND_ADD);
        assertThat(add.add()).isEqualTo(-12);
        assertThat(add.swapOrAdd()).isEqualTo(-12);
        assertThat(add.compare()).isZero();
        assertThat(add.remoteAddress()).isEqualTo(REMOTE);
        assertThat(swap.remoteKey()).isEqualTo(RKEY);
    }

    @Test
    void flagsGiveANewRequestAndLeaveTheRestAlone() {
        RdmaWrite plain = RdmaWrite.of(2, FIRST).to(REMOTE, RKEY);
        RdmaWrite flagged = plain.signaled().fenced();

        assertThat(plain.isSignaled()).isFalse();
        assertThat(plain.isFenced()).isFalse();
        assertThat(flagged.isSignaled()).isTrue();
        assertThat(flagged.isFenced()).isTrue();
        assertThat(flagged.isSolicited()).isFalse();
        assertThat(flagged.remoteAddress()).isEqualTo(REMOTE);
        assertThat(flagged.remoteKey()).isEqualTo(RKEY);
        assertThat(flagged.elements()).containsExactly(FIRST);
        assertThat(flagged.workRequestId()).isEqualTo(2);

        RdmaRead read = RdmaRead.of(3, FIRST).from(REMOTE, RKEY).fenced().signaled();
        assertThat(read.isFenced() && read.isSignaled()).isTrue();
        assertThat(read.remoteAddress()).isEqualTo(REMOTE);

        Send send = Send.of(1).solicited().fenced().signaled();
        assertThat(send.isSolicited() && send.isFenced() && send.isSignaled()).isTrue();
        assertThat(send.elementCount()).isZero();

        CompareAndSwap swap =
                CompareAndSwap.of(4, SECOND, 10, 11).at(REMOTE, RKEY).signaled().fenced();
        assertThat(swap.isSignaled() && swap.isFenced()).isTrue();
        assertThat(swap.compare()).isEqualTo(10);
        assertThat(swap.swap()).isEqualTo(11);

        FetchAndAdd add =
                FetchAndAdd.of(5, SECOND, 12).at(REMOTE, RKEY).fenced().signaled();
        assertThat(add.isSignaled() && add.isFenced()).isTrue();
        assertThat(add.add()).isEqualTo(12);
    }

    @Test
    void immediateDataAndTheKeyToInvalidateBelongToTheirOperations() {
        SendWithImmediate send = SendWithImmediate.of(6, IMMEDIATE, FIRST, SECOND)
                .signaled()
                .solicited()
                .fenced();
        assertThat(send.opcode()).isEqualTo(WorkRequestOpcode.SEND_WITH_IMM);
        assertThat(send.immediateData()).isEqualTo(IMMEDIATE);
        assertThat(send.isSignaled() && send.isSolicited() && send.isFenced()).isTrue();
        assertThat(send.elements()).containsExactly(FIRST, SECOND);

        SendWithInvalidate invalidate =
                SendWithInvalidate.of(7, RKEY, FIRST).signaled().solicited().fenced();
        assertThat(invalidate.opcode()).isEqualTo(WorkRequestOpcode.SEND_WITH_INV);
        assertThat(invalidate.invalidateKey()).isEqualTo(RKEY);
        assertThat(invalidate.remoteKey()).isZero();
        assertThat(invalidate.isSignaled() && invalidate.isSolicited() && invalidate.isFenced())
                .isTrue();

        RdmaWriteWithImmediate write = RdmaWriteWithImmediate.of(8, IMMEDIATE, FIRST)
                .to(REMOTE, RKEY)
                .signaled()
                .solicited()
                .fenced();
        assertThat(write.opcode()).isEqualTo(WorkRequestOpcode.RDMA_WRITE_WITH_IMM);
        assertThat(write.immediateData()).isEqualTo(IMMEDIATE);
        assertThat(write.remoteAddress()).isEqualTo(REMOTE);
        assertThat(write.remoteKey()).isEqualTo(RKEY);
        assertThat(write.isSignaled() && write.isSolicited() && write.isFenced())
                .isTrue();

        SendRequest plain = Send.of(1);
        assertThat(plain.immediateData()).isZero();
        assertThat(plain.invalidateKey()).isZero();
    }

    @Test
    void inlineBytesAreWhatTheyAreWhenTheyAreCopied() {
        ByteBuffer first = ByteBuffer.wrap(new byte[] {9, 1, 2, 3, 9}, 1, 3);
        ByteBuffer second = ByteBuffer.allocateDirect(2).put(0, (byte) 4).put(1, (byte) 5);
        Send send = Send.inline(1, first, second).signaled();
        first.clear(); // where the bytes are was settled above
        first.put(2, (byte) 7);

        ByteBuffer target = ByteBuffer.allocate(8);
        send.copyInline(target, 1);
        assertThat(send.isInline()).isTrue();
        assertThat(send.inlineLength()).isEqualTo(5);
        assertThat(send.elements()).isEmpty();
        assertThat(send.elementCount()).isZero();
        assertThat(target.array()).containsExactly(0, 1, 7, 3, 4, 5, 0, 0);
        assertThat(target.position()).isZero();
        assertThat(send).hasToString("IBV_WR_SEND wr_id 1 [5 bytes inline] signaled");
    }

    @Test
    void whateverCarriesDataOutwardsMayCarryItInline() {
        byte[] bytes = {1, 2};
        assertThat(List.<SendRequest>of(
                        Send.inline(1, bytes),
                        SendWithImmediate.inline(1, IMMEDIATE, bytes),
                        SendWithInvalidate.inline(1, RKEY, bytes),
                        RdmaWrite.inline(1, bytes).to(REMOTE, RKEY).fenced(),
                        RdmaWriteWithImmediate.inline(1, IMMEDIATE, bytes).to(REMOTE, RKEY)))
                .allMatch(request -> request.isInline() && request.inlineLength() == 2);
        assertThat(Send.inline(1).isInline()).as("of no bytes").isTrue();
        assertThat(Send.inline(1, bytes))
                .isEqualTo(Send.inline(1, ByteBuffer.wrap(bytes)))
                .hasSameHashCodeAs(Send.inline(1, ByteBuffer.wrap(bytes)))
                .isNotEqualTo(Send.inline(1, new byte[] {1, 3}))
                .isNotEqualTo(Send.of(1));
        assertThat(Send.inline(1)).isNotEqualTo(Send.of(1));
        assertThat(Send.of(1).isInline()).isFalse();
    }

    /** The C library answers IBV_SEND_INLINE on these with EINVAL; here it cannot be said. */
    @Test
    void whatFetchesCannotBeInline() {
        for (Class<?> type : List.of(RdmaRead.class, CompareAndSwap.class, FetchAndAdd.class)) {
            assertThat(type.getDeclaredMethods()).noneMatch(method -> "inline".equals(method.getName()));
        }
    }

    @Test
    void oneBeginningServesManyTargets() {
        RdmaWrite.Untargeted beginning = RdmaWrite.of(2, FIRST);

        assertThat(beginning.to(1, 1)).isNotEqualTo(beginning.to(2, 1)).isEqualTo(beginning.to(1, 1));
    }

    @Test
    void laterChangesOfTheArrayDoNotReachTheRequest() {
        ScatterGatherElement[] elements = {FIRST};
        Send send = Send.of(1, elements);
        ReceiveRequest receive = ReceiveRequest.of(1, elements);
        elements[0] = SECOND;

        assertThat(send.element(0)).isSameAs(FIRST);
        assertThat(receive.element(0)).isSameAs(FIRST);
        assertThatThrownBy(() -> send.elements().clear()).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> receive.elements().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    /** The same instance can be posted for ever by many threads, so nothing in it may ever change. */
    @Test
    void allFieldsAreFinal() {
        for (SendRequest request : ONE_OF_EACH) {
            for (Class<?> type = request.getClass(); type != Object.class; type = type.getSuperclass()) {
                assertThat(type.getDeclaredFields())
                        .as(type.getSimpleName())
                        .allMatch(field -> Modifier.isFinal(field.getModifiers()));
            }
            assertThat(request.getClass()).isFinal();
        }
    }

    @Test
    void equalMeansEqualInEveryPart() {
        assertThat(ONE_OF_EACH).doesNotHaveDuplicates();
        assertThat(RdmaWrite.of(2, FIRST).to(REMOTE, RKEY))
                .isEqualTo(RdmaWrite.of(2, FIRST).to(REMOTE, RKEY))
                .hasSameHashCodeAs(RdmaWrite.of(2, FIRST).to(REMOTE, RKEY))
                .isNotEqualTo(RdmaWrite.of(2, FIRST).to(REMOTE, RKEY).signaled())
                .isNotEqualTo(RdmaWrite.of(2, FIRST).to(REMOTE, RKEY + 1))
                .isNotEqualTo(RdmaWrite.of(3, FIRST).to(REMOTE, RKEY))
                .isNotEqualTo(RdmaRead.of(2, FIRST).from(REMOTE, RKEY));
        assertThat(CompareAndSwap.of(4, SECOND, 10, 11).at(REMOTE, RKEY))
                .isEqualTo(CompareAndSwap.of(4, SECOND, 10, 11).at(REMOTE, RKEY))
                .isNotEqualTo(CompareAndSwap.of(4, SECOND, 9, 11).at(REMOTE, RKEY))
                .isNotEqualTo(CompareAndSwap.of(4, SECOND, 10, 12).at(REMOTE, RKEY));
        assertThat(FetchAndAdd.of(5, SECOND, 12).at(REMOTE, RKEY))
                .isEqualTo(FetchAndAdd.of(5, SECOND, 12).at(REMOTE, RKEY))
                .isNotEqualTo(FetchAndAdd.of(5, SECOND, 13).at(REMOTE, RKEY));
        assertThat(SendWithImmediate.of(6, 1, FIRST))
                .isEqualTo(SendWithImmediate.of(6, 1, FIRST))
                .hasSameHashCodeAs(SendWithImmediate.of(6, 1, FIRST))
                .isNotEqualTo(SendWithImmediate.of(6, 2, FIRST));
        assertThat(SendWithInvalidate.of(6, 1, FIRST))
                .isEqualTo(SendWithInvalidate.of(6, 1, FIRST))
                .hasSameHashCodeAs(SendWithInvalidate.of(6, 1, FIRST))
                .isNotEqualTo(SendWithInvalidate.of(6, 2, FIRST));
        assertThat(RdmaWriteWithImmediate.of(6, 1, FIRST).to(REMOTE, RKEY))
                .isEqualTo(RdmaWriteWithImmediate.of(6, 1, FIRST).to(REMOTE, RKEY))
                .hasSameHashCodeAs(RdmaWriteWithImmediate.of(6, 1, FIRST).to(REMOTE, RKEY))
                .isNotEqualTo(RdmaWriteWithImmediate.of(6, 2, FIRST).to(REMOTE, RKEY));
    }

    @Test
    void textTellsWhatIsAsked() {
        assertThat(RdmaWrite.of(2, FIRST).to(REMOTE, RKEY).signaled())
                .hasToString("IBV_WR_RDMA_WRITE wr_id 2 [0x1000+64 (lkey 0x5)]"
                        + " remote 0xffffffff00000000 (rkey 0xcafe0001) signaled");
        assertThat(CompareAndSwap.of(4, SECOND, 10, 11).at(8, 9).toString()).contains("compare 0xa swap 0xb");
        assertThat(FetchAndAdd.of(4, SECOND, 10).at(8, 9).toString()).contains("add 0xa");
        assertThat(RdmaWriteWithImmediate.of(4, 10, FIRST).to(8, 9).toString()).contains("rkey 0x9) imm 0xa");
        assertThat(SendWithImmediate.of(4, 10).solicited())
                .hasToString("IBV_WR_SEND_WITH_IMM wr_id 4 [] imm 0xa solicited");
        assertThat(SendWithInvalidate.of(4, 10)).hasToString("IBV_WR_SEND_WITH_INV wr_id 4 [] invalidate 0xa");
        assertThat(Send.of(1).fenced().solicited()).hasToString("IBV_WR_SEND wr_id 1 [] solicited fenced");
    }

    /** A provider copies a request into its ring for every post: reading all of it must not allocate. */
    @Test
    void readingARequestAllocatesNothing() {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long sum = readAll(20_000);
        long before = threads.getCurrentThreadAllocatedBytes();
        sum += readAll(20_000);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        // The measurement itself takes a few bytes; one object per read would be 1.6 MB.
        assertThat(allocated).as("sum %d", sum).isLessThan(10_000);
    }

    private static long readAll(int rounds) {
        ByteBuffer target = ByteBuffer.allocateDirect(8);
        long sum = 0;
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < ONE_OF_EACH.size(); i++) {
                SendRequest request = ONE_OF_EACH.get(i);
                sum += request.workRequestId() + request.opcode().code() + request.remoteAddress();
                sum += request.remoteKey() + request.compare() + request.swapOrAdd();
                sum += request.immediateData() + request.invalidateKey() + request.inlineLength();
                request.copyInline(target, 0);
                sum += request.isSignaled() || request.isSolicited() || request.isFenced() ? 1 : 0;
                for (int e = 0; e < request.elementCount(); e++) {
                    sum += request.element(e).length();
                }
            }
        }
        return sum;
    }
}
