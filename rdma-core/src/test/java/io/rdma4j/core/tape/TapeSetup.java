package io.rdma4j.core.tape;

import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.QueuePairType;
import io.rdma4j.verbs.SharedReceiveQueueAttributes;

/** How the queue pair of a tape is made; what is not said has the value that {@code connect} gives, and MTU 256. */
public final class TapeSetup {
    private QueuePairType type = QueuePairType.RC;
    private PathMtu mtu = PathMtu.MTU_256;
    private int maxReadAtomic = 4;
    private int maxDestinationReadAtomic = 4;
    private int timeout = 14;
    private int retryCount = 7;
    private int rnrRetry = 7;
    private int firstPsn = Tape.FIRST_PSN;
    private int expectedPsn = Tape.EXPECTED_PSN;
    private int sendRequests = 32;
    private int inlineData = 64;
    private int sharedReceives;
    private boolean signalAll;
    private QueuePairState upTo = QueuePairState.RTS;
    private AccessFlag[] access = {AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC};
    int receiveBufferBytes = 4 << 20;
    int completionEntries = 64;

    public TapeSetup type(QueuePairType value) {
        type = value;
        return this;
    }

    public TapeSetup mtu(PathMtu value) {
        mtu = value;
        return this;
    }

    /** READs and atomics: how many this side may have outstanding, and how many it answers. */
    public TapeSetup readAtomic(int initiator, int responder) {
        maxReadAtomic = initiator;
        maxDestinationReadAtomic = responder;
        return this;
    }

    public TapeSetup timeout(int code) {
        timeout = code;
        return this;
    }

    public TapeSetup retries(int transport, int receiverNotReady) {
        retryCount = transport;
        rnrRetry = receiverNotReady;
        return this;
    }

    public TapeSetup psn(int first, int expected) {
        firstPsn = first;
        expectedPsn = expected;
        return this;
    }

    public TapeSetup sendRequests(int count) {
        sendRequests = count;
        return this;
    }

    public TapeSetup inlineData(int bytes) {
        inlineData = bytes;
        return this;
    }

    public TapeSetup signalAll() {
        signalAll = true;
        return this;
    }

    /** Receives come from a shared receive queue of the same domain with room for so many. */
    public TapeSetup sharedReceives(int count) {
        sharedReceives = count;
        return this;
    }

    public TapeSetup access(AccessFlag... flags) {
        access = flags;
        return this;
    }

    public TapeSetup upTo(QueuePairState state) {
        upTo = state;
        return this;
    }

    public TapeSetup receiveBuffer(int bytes) {
        receiveBufferBytes = bytes;
        return this;
    }

    public TapeSetup completionEntries(int count) {
        completionEntries = count;
        return this;
    }

    public Tape start() {
        return new Tape(this);
    }

    QueuePair create(Tape tape) {
        QueuePairConfig config = QueuePairConfig.of(type, tape.sendQueue, tape.receiveQueue)
                .maxSendWorkRequests(sendRequests)
                .maxInlineData(inlineData);
        if (sharedReceives > 0) {
            config = config.sharedReceiveQueue(
                    tape.domain.createSharedReceiveQueue(SharedReceiveQueueAttributes.of(sharedReceives, 4)));
        }
        QueuePair qp = tape.domain.createQueuePair(signalAll ? config.signalAll() : config);
        connect(qp);
        return qp;
    }

    /** Moves a queue pair from RESET to the state asked for. */
    public void connect(QueuePair qp) {
        for (QueuePairState state :
                new QueuePairState[] {QueuePairState.INIT, QueuePairState.RTR, QueuePairState.RTS}) {
            if (state.code() <= upTo.code()) {
                qp.modify(attributes(state));
            }
        }
    }

    /** What a move to {@code state} carries. */
    public QueuePairAttributes attributes(QueuePairState state) {
        QueuePairAttributes.Builder builder = QueuePairAttributes.builder().state(state);
        switch (state) {
            case INIT -> initial(builder);
            case RTR -> readyToReceive(builder);
            case RTS -> readyToSend(builder);
            default -> {
                // The state alone.
            }
        }
        return builder.build();
    }

    private void initial(QueuePairAttributes.Builder builder) {
        builder.pkeyIndex(0).port(1);
        if (type == QueuePairType.UD) {
            builder.qkey(Tape.QKEY);
        } else {
            builder.accessFlags(access);
        }
    }

    private void readyToReceive(QueuePairAttributes.Builder builder) {
        if (type == QueuePairType.UD) {
            return;
        }
        builder.addressVector(AddressVector.of(Tape.PEER))
                .pathMtu(mtu)
                .destinationQueuePair(Tape.PEER_QP)
                .receivePsn(expectedPsn);
        if (type == QueuePairType.RC) {
            builder.maxDestinationReadAtomic(maxDestinationReadAtomic).minRnrTimer(12);
        }
    }

    private void readyToSend(QueuePairAttributes.Builder builder) {
        builder.sendPsn(firstPsn);
        if (type == QueuePairType.RC) {
            builder.timeout(timeout).retryCount(retryCount).rnrRetry(rnrRetry).maxReadAtomic(maxReadAtomic);
        }
    }
}
