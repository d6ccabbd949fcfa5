package io.rdma4j.testkit.contract;

import static io.rdma4j.verbs.QueuePairState.ERR;
import static io.rdma4j.verbs.QueuePairState.INIT;
import static io.rdma4j.verbs.QueuePairState.RESET;
import static io.rdma4j.verbs.QueuePairState.RTR;
import static io.rdma4j.verbs.QueuePairState.RTS;
import static io.rdma4j.verbs.WorkCompletionStatus.FATAL_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.REM_OP_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.RETRY_EXC_ERR;
import static io.rdma4j.verbs.WorkCompletionStatus.SUCCESS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rdma4j.testkit.verbs.ConnectionEnd;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Reliable connections whose peer is in one state or another, or whose queue is full. */
final class RcStateCases {
    private static final List<QueuePairState> STATES = List.of(RESET, INIT, RTR, RTS, ERR);

    /** Gives up after some 8 ms. */
    private static final ConnectOptions QUICK =
            ConnectOptions.DEFAULT.timeout(8).retryCount(2).rnrRetry(1).minRnrTimer(1);

    private RcStateCases() {}

    static List<ContractCase> cases() {
        return List.of(
                ContractCase.of("rc/QueryQpInitialState", "both are in RTS after connecting")
                        .covers(Feature.QUERY_QP)
                        .run(bed -> {
                            Pair pair = bed.pair();
                            assertEquals(RTS, pair.a().queuePair().query().state());
                            assertEquals(RTS, pair.b().queuePair().query().state());
                        }),
                ContractCase.of(
                                "rc/RemoteRcQpState",
                                "peer in RTR or RTS: S; RESET or INIT: RETRY_EXC_ERR or REM_OP_ERR; ERR: RETRY_EXC_ERR, REM_OP_ERR or FATAL_ERR")
                        .covers(Feature.QP_STATES, Feature.RETRY, Feature.ERROR_TABLE)
                        .each(combinations(), RcStateCases::remoteState),
                ContractCase.of("rc/FullSubmissionQueue", "a queue that is full to the last place drains without loss")
                        .covers(Feature.SQ_OVERFLOW)
                        .each(List.of(Operation.READ, Operation.WRITE, Operation.FETCH_ADD), RcStateCases::fullQueue),
                ContractCase.of("rc/ReadAtomicLimit", "READs and atomics over the limit wait and succeed")
                        .covers(Feature.READ_ATOMIC_LIMITS)
                        .each(List.of(1, 2, 16), RcStateCases::readAtomicLimit),
                ContractCase.of("rc/SelfConnectedQp", "a queue pair connected with itself serves all operations")
                        .covers(Feature.LOOPBACK)
                        .each(Operation.class, RcStateCases::withItself),
                ContractCase.of("rc/LoopbackQps", "two queue pairs of one device serve all operations")
                        .covers(Feature.LOOPBACK)
                        .each(Operation.class, RcStateCases::ofOneDevice),
                ContractCase.of(
                                "rc/OperationNotAllowed",
                                "without the right on the queue pair: REM_INV_REQ_ERR or REM_ACCESS_ERR")
                        .covers(Feature.ERROR_TABLE)
                        .each(
                                List.of(Operation.READ, Operation.WRITE, Operation.FETCH_ADD, Operation.COMPARE_SWAP),
                                RcStateCases::notAllowed));
    }

    private record Combination(QueuePairState state, Operation operation) {
        @Override
        public String toString() {
            return state.name() + ", " + operation;
        }
    }

    private static List<Combination> combinations() {
        List<Combination> all = new ArrayList<>();
        for (QueuePairState state : STATES) {
            for (Operation operation : Operation.values()) {
                all.add(new Combination(state, operation));
            }
        }
        return all;
    }

    /** Brings b as far as a state; a to RTS. */
    static void prepare(Pair pair, QueuePairState stateOfB, ConnectOptions options) {
        ConnectionEnd a = pair.a().steps();
        ConnectionEnd b = pair.b().steps();
        a.prepare(b, options);
        a.start(options);
        switch (stateOfB) {
            case RESET -> {}
            case INIT -> pair.b().queuePair().modify(init());
            default -> b.prepare(a, options);
        }
        if (stateOfB == RTS) {
            b.start(options);
        }
        if (stateOfB == ERR) {
            pair.b().move(ERR);
        }
        pair.b().expectState(stateOfB);
    }

    static QueuePairAttributes init() {
        return QueuePairAttributes.builder()
                .state(INIT)
                .pkeyIndex(0)
                .port(1)
                .accessFlags(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC)
                .build();
    }

    private static void remoteState(ContractBed bed, Combination combination) {
        QueuePairState state = combination.state;
        Pair pair = bed.pair(PairPlan.RELIABLE.unconnected());
        prepare(pair, state, state == RTR || state == RTS ? ConnectOptions.DEFAULT : QUICK);
        if (combination.operation.needsReceive() && state != RESET) {
            pair.b().postReceive(100, 64, 64);
        }
        pair.a().post(combination.operation.between(1, pair.a(), pair.b()));
        WorkCompletionStatus status = pair.a().nextSent().status();
        Set<WorkCompletionStatus> allowed = switch (state) {
            case RTR, RTS -> Set.of(SUCCESS);
            case ERR -> Set.of(RETRY_EXC_ERR, REM_OP_ERR, FATAL_ERR);
            default -> Set.of(RETRY_EXC_ERR, REM_OP_ERR);
        };
        assertTrue(allowed.contains(status), () -> status + ", expected one of " + allowed);
        pair.a().expectState(status == SUCCESS ? RTS : ERR);
        pair.b().expectState(state);
        if (status == SUCCESS && combination.operation.needsReceive()) {
            pair.b().expectReceived(100);
        }
        if (status != SUCCESS) {
            pair.b().expectUntouched();
        }
    }

    private static void fullQueue(ContractBed bed, Operation operation) {
        Pair pair = bed.pair(PairPlan.RELIABLE.shape(config -> config.maxSendWorkRequests(64)));
        int room = pair.a().queuePair().capabilities().maxSendWorkRequests();
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < room; i++) {
                pair.a().post(operation.between(i, pair.a(), pair.b()));
            }
            ContractBed.expectRefused(
                    ErrorCode.ENOMEM, () -> pair.a().post(operation.between(room, pair.a(), pair.b())));
            for (int i = 0; i < room; i++) {
                pair.a().expectSent(i);
            }
        }
    }

    private static void readAtomicLimit(ContractBed bed, int limit) {
        Pair pair = bed.pair(PairPlan.RELIABLE.options(ConnectOptions.DEFAULT.maxReadAtomic(limit)));
        int count = 100;
        for (int i = 0; i < count; i++) {
            Operation operation = i % 3 == 0 ? Operation.FETCH_ADD : Operation.READ;
            pair.a()
                    .post(operation.request(
                            i,
                            pair.a().slice(0, 8),
                            pair.b().address(0),
                            pair.b().key()));
        }
        for (int i = 0; i < count; i++) {
            pair.a().expectSent(i);
        }
        pair.expectState(RTS);
    }

    private static void withItself(ContractBed bed, Operation operation) {
        Pair pair = bed.pair(PairPlan.RELIABLE.unconnected());
        End end = pair.a();
        end.connect(end, ConnectOptions.DEFAULT);
        if (operation.needsReceive()) {
            end.postReceive(100, 128, 64);
        }
        end.post(operation.request(1, end.slice(0, 8), end.address(64), end.key()));
        end.expectSent(1);
        if (operation.needsReceive()) {
            end.expectReceived(100);
        }
        end.expectState(RTS);
    }

    private static void ofOneDevice(ContractBed bed, Operation operation) {
        Pair pair = bed.pair(PairPlan.RELIABLE.devices(0, 0));
        if (operation.needsReceive()) {
            pair.b().postReceive(100, 0, 8);
        }
        pair.a().post(operation.between(1, pair.a(), pair.b()));
        pair.a().expectSent(1);
        if (operation.needsReceive()) {
            pair.b().expectReceived(100);
        }
        if (!Operation.ATOMICS.contains(operation)) {
            Pair.expectSame(pair.a(), 0, pair.b(), 0, 8);
        }
    }

    private static void notAllowed(ContractBed bed, Operation operation) {
        Pair pair = bed.pair(PairPlan.RELIABLE.options(ConnectOptions.DEFAULT.access()));
        pair.a().post(operation.between(1, pair.a(), pair.b()));
        WorkCompletionStatus status = pair.a().nextSent().status();
        assertTrue(
                Set.of(WorkCompletionStatus.REM_INV_REQ_ERR, WorkCompletionStatus.REM_ACCESS_ERR)
                        .contains(status),
                status::toString);
        pair.expectState(ERR);
        pair.b().expectUntouched();
    }
}
