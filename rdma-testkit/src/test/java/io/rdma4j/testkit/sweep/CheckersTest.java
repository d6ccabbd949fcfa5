package io.rdma4j.testkit.sweep;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.testkit.fabric.Fabric;
import io.rdma4j.testkit.fabric.FabricOptions;
import io.rdma4j.testkit.sweep.ConnectionPlan.CompletionQueues;
import io.rdma4j.testkit.sweep.ConnectionPlan.MemoryLayout;
import io.rdma4j.testkit.sweep.LanePlan.ReceivePolicy;
import io.rdma4j.testkit.sweep.Operation.AddMessage;
import io.rdma4j.testkit.sweep.Operation.Flags;
import io.rdma4j.testkit.sweep.Operation.Notice;
import io.rdma4j.testkit.sweep.Operation.SendMessage;
import io.rdma4j.testkit.sweep.Operation.Word;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionOpcode;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** That the checkers notice: each test does by hand what an engine must not. */
class CheckersTest {
    private static final int QPN = 17;
    private static final int MEMORY = 256;
    private static final Word WORD = new Word(0, true);
    private static final Area SOURCE = new Area(64, 10);
    private static final Area TARGET = new Area(128, 10);
    private static final Flags SIGNALED = new Flags(true, false);
    private static final Notice IMMEDIATE_OF_9 = new Notice(Notice.Kind.IMMEDIATE, 9, false, false);
    private static final Notice INVALIDATE = new Notice(Notice.Kind.INVALIDATE, 0, false, false);

    private final SweepPlan plan = plan();
    private final MemoryModel model = new MemoryModel(plan);
    private final Fabric fabric = new Fabric(1);
    private final List<ProtectionDomain> domains = new ArrayList<>();
    private final NodeMemory memoryA = memory(Side.A, "192.0.2.2");
    private final NodeMemory memoryB = memory(Side.B, "192.0.2.3");
    private CompletionChecker checkerB = new CompletionChecker(plan, Side.B, model);

    /** A sends twice, then adds 5 and 7 to a word of B, which A keeps the results of at 16 and 24. */
    private static SweepPlan plan() {
        return plan(Notice.NONE);
    }

    /** The same, with the first SEND carrying more than bytes. */
    private static SweepPlan plan(Notice first) {
        List<Operation> operations = List.of(
                new SendMessage(SIGNALED, List.of(SOURCE), List.of(TARGET), first),
                new SendMessage(SIGNALED, List.of(new Area(64, 3)), List.of(new Area(160, 20))),
                new AddMessage(SIGNALED, new Area(16, 8), WORD, 5),
                new AddMessage(SIGNALED, new Area(24, 8), WORD, 7));
        LanePlan lane = new LanePlan(0, Side.A, operations, new ReceivePolicy(2, 2, 0));
        ConnectionPlan connection = new ConnectionPlan(
                ConnectOptions.DEFAULT,
                List.of(0, 0),
                4,
                CompletionQueues.ONE_FOR_ALL,
                MemoryLayout.DEVICE_CHOOSES,
                false);
        NetworkPlan network = new NetworkPlan(FabricOptions.clean(), FabricOptions.clean(), 0, 0, 0, 0);
        return new SweepPlan(9, network, connection, List.of(lane), List.of(MEMORY, MEMORY), 1);
    }

    private NodeMemory memory(Side side, String address) {
        RdmaDevice device = fabric.addDevice(side.name(), Gid.parse(address)).rdma();
        ProtectionDomain domain = device.allocateProtectionDomain();
        domains.add(domain);
        return new NodeMemory(domain, InitialMemory.bytes(plan.seed(), side, MEMORY), MemoryLayout.DEVICE_CHOOSES);
    }

    @BeforeEach
    void receiveFirstMessage() {
        memoryB.put(TARGET.offset(), memoryA.copy(SOURCE));
        checkerB = new CompletionChecker(plan, Side.B, model);
    }

    @AfterEach
    void close() {
        memoryA.close();
        memoryB.close();
        domains.forEach(ProtectionDomain::close);
        fabric.close();
    }

    @Test
    void rightCompletionPasses() {
        checkerB.accept(received(0, 10), QPN, memoryB);
    }

    @Test
    void completionBeforeItsDataIsNoticed() {
        memoryB.put(TARGET.end() - 1, new byte[] {(byte) ~memoryB.copy(TARGET)[TARGET.length() - 1]});

        assertThatThrownBy(() -> checkerB.accept(received(0, 10), QPN, memoryB))
                .isInstanceOf(SweepFailure.class)
                .hasMessageContaining("byte 137");
    }

    @Test
    void repeatedCompletionIsNoticed() {
        checkerB.accept(received(0, 10), QPN, memoryB);

        assertThatThrownBy(() -> checkerB.accept(received(0, 10), QPN, memoryB))
                .isInstanceOf(SweepFailure.class)
                .hasMessageContaining("place in the queue");
    }

    @Test
    void completionOutOfOrderIsNoticed() {
        assertThatThrownBy(() -> checkerB.accept(received(1, 3), QPN, memoryB)).isInstanceOf(SweepFailure.class);
    }

    @Test
    void wrongLengthIsNoticed() {
        assertThatThrownBy(() -> checkerB.accept(received(0, 9), QPN, memoryB))
                .isInstanceOf(SweepFailure.class)
                .hasMessageContaining("byte length");
    }

    @Test
    void wrongQueuePairNumberIsNoticed() {
        assertThatThrownBy(() -> checkerB.accept(received(0, 10), QPN + 1, memoryB))
                .isInstanceOf(SweepFailure.class)
                .hasMessageContaining("QP number");
    }

    @Test
    void immediateDataThatNobodySentIsNoticed() {
        assertThatThrownBy(() -> checkerB.accept(received(0, 10).immediate(1), QPN, memoryB))
                .isInstanceOf(SweepFailure.class)
                .hasMessageContaining("has immediate");
    }

    @Test
    void wrongImmediateDataAndWrongKeysAreNoticed() {
        checkerB = new CompletionChecker(plan(IMMEDIATE_OF_9), Side.B, model);
        assertThatThrownBy(() -> checkerB.accept(received(0, 10).immediate(8), QPN, memoryB))
                .isInstanceOf(SweepFailure.class)
                .hasMessageContaining("immediate");
        checkerB = new CompletionChecker(plan(IMMEDIATE_OF_9), Side.B, model);
        checkerB.accept(received(0, 10).immediate(9), QPN, memoryB);

        checkerB = new CompletionChecker(plan(INVALIDATE), Side.B, model);
        int key = memoryB.invalidatableKey(0, 0);
        assertThatThrownBy(() -> checkerB.accept(received(0, 10).invalidated(key + 1), QPN, memoryB))
                .isInstanceOf(SweepFailure.class)
                .hasMessageContaining("invalidated key");
        checkerB = new CompletionChecker(plan(INVALIDATE), Side.B, model);
        checkerB.accept(received(0, 10).invalidated(key), QPN, memoryB);
    }

    @Test
    void failedCompletionIsNoticedWithItsCause() {
        WorkCompletion failed = received(0, 10)
                .reset(WorkRequestIds.receive(0, 0), WorkCompletionStatus.WR_FLUSH_ERR, WorkCompletionOpcode.RECV, QPN)
                .error(0, "some cause");

        assertThatThrownBy(() -> checkerB.accept(failed, QPN, memoryB))
                .isInstanceOf(SweepFailure.class)
                .hasMessageContaining("some cause");
    }

    @Test
    void byteOutsideAnyMessageIsNoticed() {
        runAdditions(5, 7);
        memoryB.put(MEMORY - 1, new byte[] {(byte) ~memoryB.copy(new Area(MEMORY - 1, 1))[0]});
        checkAtomics();

        assertThatThrownBy(() -> model.checkAll(Side.B, memoryB))
                .isInstanceOf(SweepFailure.class)
                .hasMessageContaining("byte 160");
    }

    @Test
    void additionExecutedTwiceIsNoticed() {
        runAdditions(5, 7);
        memoryB.putWord(0, memoryB.word(0) + 7);
        checkAtomics();

        assertThatThrownBy(() -> model.checkAll(Side.B, memoryB)).isInstanceOf(SweepFailure.class);
    }

    @Test
    void lostAdditionIsNoticed() {
        long before = memoryB.word(0);
        memoryA.putWord(16, before);
        memoryA.putWord(24, before);

        assertThatThrownBy(this::checkAtomics).isInstanceOf(SweepFailure.class).hasMessageContaining("both");
    }

    @Test
    void additionsOfALaneInTheWrongOrderAreNoticed() {
        long before = memoryB.word(0);
        memoryA.putWord(24, before);
        memoryA.putWord(16, before + 7);

        assertThatThrownBy(this::checkAtomics).isInstanceOf(SweepFailure.class).hasMessageContaining("before");
    }

    private void runAdditions(long first, long second) {
        long before = memoryB.word(0);
        memoryA.putWord(16, before);
        memoryA.putWord(24, before + first);
        memoryB.putWord(0, before + first + second);
    }

    private void checkAtomics() {
        new AtomicChecker(plan, Map.of(Side.A, memoryA, Side.B, memoryB)).check(model);
    }

    private static WorkCompletion received(int index, long length) {
        return new WorkCompletion()
                .reset(WorkRequestIds.receive(0, index), WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.RECV, QPN)
                .lengths(length);
    }
}
