package io.rdma4j.core.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.core.qp.DeviceLimit;
import io.rdma4j.core.tape.InlineDriver;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.AsyncEvent;
import io.rdma4j.verbs.AsyncEventType;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.PostException;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairCapabilities;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.SharedReceiveQueue;
import io.rdma4j.verbs.SharedReceiveQueueAttributes;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Shared receive queues as objects: creation, posting, limit, sizes, and who keeps whom (§12). */
class SharedReceiveQueueTest {
    private final Tape tape = new Tape();

    @AfterEach
    void nothingMore() {
        tape.close();
    }

    private SharedReceiveQueue create(int maxWorkRequests, int maxScatterGather) {
        return tape.domain.createSharedReceiveQueue(SharedReceiveQueueAttributes.of(maxWorkRequests, maxScatterGather));
    }

    private QueuePairConfig on(SharedReceiveQueue queue) {
        return QueuePairConfig.reliable(tape.receiveQueue).sharedReceiveQueue(queue);
    }

    private static void refused(ErrorCode code, ThrowingCallable call, String... words) {
        assertThatThrownBy(call).isInstanceOfSatisfying(RdmaException.class, e -> {
            assertThat(e.code()).isEqualTo(code);
            assertThat(List.of(words)).allSatisfy(word -> assertThat(e).hasMessageContaining(word));
        });
    }

    @Test
    @DisplayName("§12: sizes up to the device's are given exactly, beyond them EINVAL; a limit at creation is ignored")
    void sizes() {
        int requests = tape.engine.config().limits().max(DeviceLimit.MAX_SRQ_WR);
        int elements = tape.engine.config().limits().max(DeviceLimit.MAX_SRQ_SGE);
        for (int count : new int[] {1, 3, requests}) {
            SharedReceiveQueue queue = create(count, 1);
            assertThat(queue.query()).isEqualTo(new SharedReceiveQueueAttributes(count, 1, 0));
            assertThat(queue.protectionDomain()).isSameAs(tape.domain);
            queue.close();
        }
        SharedReceiveQueue limited =
                tape.domain.createSharedReceiveQueue(new SharedReceiveQueueAttributes(4, elements, 3));
        assertThat(limited.query()).isEqualTo(new SharedReceiveQueueAttributes(4, elements, 0));
        tape.events();
        limited.close();
        for (int count : new int[] {-1, 0, requests + 1}) {
            refused(ErrorCode.EINVAL, () -> create(count, 1), "ibv_create_srq", "max_wr " + count);
        }
        for (int count : new int[] {-1, elements + 1}) {
            refused(ErrorCode.EINVAL, () -> create(1, count), "ibv_create_srq", "max_sge " + count);
        }
    }

    @Test
    @DisplayName(
            "§12: as many fit as were asked for, whatever the number; one more is ENOMEM, and its place in a list is told")
    void full() {
        for (int capacity : new int[] {1, 2, 3, 5}) {
            SharedReceiveQueue queue = create(capacity, 1);
            List<ReceiveRequest> many = Collections.nCopies(capacity + 2, ReceiveRequest.of(1));
            assertThatThrownBy(() -> queue.postReceive(many)).isInstanceOfSatisfying(PostException.class, e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.ENOMEM);
                assertThat(e.index()).isEqualTo(capacity);
            });
            queue.close();
        }
    }

    @Test
    @DisplayName("§12: too many elements, or a length of 2^32, are EINVAL; of a list those before them are posted")
    void badRequests() {
        try (Tape shared = new TapeSetup().sharedReceives(4).start()) {
            SharedReceiveQueue queue = shared.qp.sharedReceiveQueue();
            ScatterGatherElement one = shared.at(0, 1);
            ReceiveRequest bad = ReceiveRequest.of(2, one, one, one, one, one);
            refused(ErrorCode.EINVAL, () -> queue.postReceive(bad), "ibv_post_srq_recv", "5", "at most 4");
            refused(
                    ErrorCode.EINVAL,
                    () -> queue.postReceive(ReceiveRequest.of(3, new ScatterGatherElement(0, 1L << 32, 0))));
            ReceiveRequest good = ReceiveRequest.of(1, one, one, one, one);
            assertThatThrownBy(() -> queue.postReceive(List.of(good, bad, good)))
                    .isInstanceOfSatisfying(PostException.class, e -> {
                        assertThat(e.code()).isEqualTo(ErrorCode.EINVAL);
                        assertThat(e.index()).isEqualTo(1);
                    });
            shared.in("SEND_ONLY psn=500 len=4", "SEND_ONLY psn=501 A").receiveDone("1 SUCCESS RECV 4");
            shared.out("ACK psn=501 syn=0x2c msn=1");
        }
    }

    @Test
    @DisplayName(
            "bug/46: with a shared receive queue max_recv_wr and max_recv_sge are ignored however large, and queried as 0")
    void ownSizesAreIgnored() {
        SharedReceiveQueue queue = create(4, 1);
        QueuePair qp = tape.domain.createQueuePair(
                on(queue).capabilities(new QueuePairCapabilities(7, Integer.MAX_VALUE, 3, Integer.MAX_VALUE, 5)));
        assertThat(qp.capabilities()).isEqualTo(new QueuePairCapabilities(7, 0, 3, 0, 5));
        assertThat(qp.sharedReceiveQueue()).isSameAs(queue);
        assertThat(tape.qp.sharedReceiveQueue()).isNull();
        qp.close();
        queue.close();
    }

    @Test
    @DisplayName("§12: ibv_post_recv on a queue pair with a shared receive queue is EINVAL in every state")
    void wrongPost() {
        SharedReceiveQueue queue = create(4, 1);
        QueuePair qp = tape.domain.createQueuePair(on(queue));
        TapeSetup setup = new TapeSetup();
        for (QueuePairState state : new QueuePairState[] {
            QueuePairState.RESET, QueuePairState.INIT, QueuePairState.RTR, QueuePairState.RTS, QueuePairState.ERR
        }) {
            if (state != QueuePairState.RESET) {
                qp.modify(setup.attributes(state));
            }
            refused(ErrorCode.EINVAL, () -> qp.postReceive(ReceiveRequest.of(1)), "shared receive queue");
        }
        tape.events("QP_LAST_WQE_REACHED").receiveDone();
        qp.close();
        refused(ErrorCode.EBADF, () -> qp.postReceive(ReceiveRequest.of(1)));
        queue.close();
    }

    @Test
    @DisplayName(
            "bug/9, §12: closing is EBUSY while queue pairs use it, naming them; its domain is EBUSY while it is there")
    void busy() {
        SharedReceiveQueue queue = create(4, 1);
        QueuePair first = tape.domain.createQueuePair(on(queue));
        QueuePair second = tape.domain.createQueuePair(on(queue));
        queue.postReceive(ReceiveRequest.of(1));
        refused(ErrorCode.EBUSY, queue::close, first.toString(), second.toString());
        first.close();
        refused(ErrorCode.EBUSY, queue::close, second.toString());
        second.close();
        refused(ErrorCode.EBUSY, tape.domain::close, "shared receive queue " + queue.number());
        queue.close();
        queue.close();
        refused(ErrorCode.EBADF, () -> queue.postReceive(ReceiveRequest.of(2)), "is closed");
        refused(ErrorCode.EBADF, queue::query);
        refused(ErrorCode.EBADF, () -> queue.armLimit(1));
        refused(ErrorCode.EBADF, () -> queue.resize(1));
        refused(ErrorCode.EINVAL, () -> tape.domain.createQueuePair(on(queue)), "is closed");
    }

    @Test
    @DisplayName("§12: a queue pair takes a shared queue of any domain of its device, and none of another context")
    void ofOtherDomains() {
        ProtectionDomain elsewhere = tape.device.allocateProtectionDomain();
        SharedReceiveQueue queue = elsewhere.createSharedReceiveQueue(SharedReceiveQueueAttributes.of(1, 1));
        tape.domain.createQueuePair(on(queue)).close();
        SoftDevice context = new SoftDevice("context", tape.engine, new InlineDriver());
        ProtectionDomain foreign = context.allocateProtectionDomain();
        SharedReceiveQueue other = foreign.createSharedReceiveQueue(SharedReceiveQueueAttributes.of(1, 1));
        refused(ErrorCode.EINVAL, () -> tape.domain.createQueuePair(on(other)), "another device context");
        // What is left open goes with its context.
        context.close();
        refused(ErrorCode.EBADF, () -> other.postReceive(ReceiveRequest.of(1)));
        queue.close();
        elsewhere.close();
    }

    @Test
    @DisplayName("§12: a limit above the size or below 0 is EINVAL and leaves the armed one")
    void limits() {
        SharedReceiveQueue queue = create(4, 1);
        queue.postReceive(Collections.nCopies(4, ReceiveRequest.of(1)));
        queue.armLimit(4);
        refused(ErrorCode.EINVAL, () -> queue.armLimit(5), "ibv_modify_srq", "srq_limit 5", "0..4");
        refused(ErrorCode.EINVAL, () -> queue.armLimit(-1));
        assertThat(queue.query().limit()).isEqualTo(4);
        queue.close();
    }

    @Test
    @DisplayName(
            "§12: a size below what is posted, below the armed limit or out of range is EINVAL and changes nothing")
    void resize() {
        SharedReceiveQueue queue = create(8, 1);
        queue.postReceive(Collections.nCopies(5, ReceiveRequest.of(1)));
        refused(ErrorCode.EINVAL, () -> queue.resize(4), "ibv_modify_srq", "max_wr 4", "5");
        queue.resize(5);
        refused(ErrorCode.ENOMEM, () -> queue.postReceive(ReceiveRequest.of(2)));
        queue.resize(8);
        queue.armLimit(5);
        queue.postReceive(ReceiveRequest.of(3));
        queue.armLimit(6);
        refused(ErrorCode.EINVAL, () -> queue.resize(5));
        queue.armLimit(0);
        queue.resize(7);
        queue.armLimit(6);
        queue.resize(6);
        refused(ErrorCode.EINVAL, () -> queue.resize(0));
        refused(
                ErrorCode.EINVAL,
                () -> queue.resize(tape.engine.config().limits().max(DeviceLimit.MAX_SRQ_WR) + 1));
        assertThat(queue.query()).isEqualTo(new SharedReceiveQueueAttributes(6, 1, 6));
        queue.close();
        SharedReceiveQueue empty = create(8, 1);
        empty.postReceive(Collections.nCopies(7, ReceiveRequest.of(1)));
        empty.armLimit(7);
        refused(ErrorCode.EINVAL, () -> empty.resize(6), "max_wr 6");
        empty.close();
        tape.events();
    }

    @Test
    @DisplayName(
            "§10: the event names the queue, goes to the context that made it, and goes with the queue when it is closed")
    void events() {
        try (SoftDevice context = new SoftDevice("context", tape.engine, new InlineDriver())) {
            SharedReceiveQueue first = create(4, 1);
            SharedReceiveQueue second = create(4, 1);
            first.armLimit(1);
            second.armLimit(2);
            first.close();
            assertThat(tape.device.awaitAsyncEvent(Duration.ZERO))
                    .isEqualTo(new AsyncEvent(AsyncEventType.SRQ_LIMIT_REACHED, second.number()));
            assertThat(context.awaitAsyncEvent(Duration.ZERO)).isNull();
            second.close();
        }
    }

    @Test
    @DisplayName("a device has as many shared receive queues as it says, and room again when one is closed")
    void number() {
        SharedReceiveQueue[] queues =
                new SharedReceiveQueue[tape.engine.config().limits().max(DeviceLimit.MAX_SRQ)];
        for (int i = 0; i < queues.length; i++) {
            queues[i] = create(1, 0);
        }
        refused(ErrorCode.ENOMEM, () -> create(1, 0), "shared receive queues");
        queues[0].close();
        queues[0] = create(1, 0);
        for (SharedReceiveQueue queue : queues) {
            queue.close();
        }
    }
}
