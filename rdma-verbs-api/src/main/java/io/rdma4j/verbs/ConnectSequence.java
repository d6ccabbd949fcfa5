package io.rdma4j.verbs;

import io.rdma4j.verbs.spi.Arguments;

/** Brings a connected queue pair from RESET or INIT to RTS with the attributes each step requires (§9). */
final class ConnectSequence {
    private static final int PORT = 1;

    private ConnectSequence() {}

    static void run(QueuePair queuePair, QueuePairAddress peer, ConnectOptions options) {
        Arguments.required(peer, "peer");
        Arguments.required(options, "options");
        if (queuePair.type() == QueuePairType.UD) {
            throw new RdmaException(
                    ErrorCode.EINVAL,
                    "a UD queue pair is not connected; activate(qkey) brings it to RTS, and each send names its peer");
        }
        checkState(queuePair, "connect");
        boolean isReliable = queuePair.type() == QueuePairType.RC;
        queuePair.modify(init(options));
        queuePair.modify(readyToReceive(queuePair, peer, options, isReliable));
        queuePair.modify(readyToSend(queuePair, options, isReliable));
    }

    /** As {@link #run} for datagrams, which have no peer. */
    static void activate(QueuePair queuePair, int qkey) {
        if (queuePair.type() != QueuePairType.UD) {
            throw new RdmaException(
                    ErrorCode.EINVAL,
                    "a " + queuePair.type() + " queue pair is not activated; connect(peer) brings it to RTS");
        }
        checkState(queuePair, "activate");
        queuePair.modify(QueuePairAttributes.builder()
                .state(QueuePairState.INIT)
                .pkeyIndex(0)
                .port(PORT)
                .qkey(qkey)
                .build());
        queuePair.modify(QueuePairAttributes.builder().state(QueuePairState.RTR).build());
        queuePair.modify(QueuePairAttributes.builder()
                .state(QueuePairState.RTS)
                .sendPsn(queuePair.localAddress().packetSequenceNumber())
                .build());
    }

    private static void checkState(QueuePair queuePair, String what) {
        QueuePairState state = queuePair.state();
        if (state != QueuePairState.RESET && state != QueuePairState.INIT) {
            throw new RdmaException(
                    ErrorCode.EINVAL,
                    "queue pair 0x" + Integer.toHexString(queuePair.number()) + " is in " + state + "; " + what
                            + " needs IBV_QPS_RESET or IBV_QPS_INIT");
        }
    }

    private static QueuePairAttributes init(ConnectOptions options) {
        return QueuePairAttributes.builder()
                .state(QueuePairState.INIT)
                .pkeyIndex(0)
                .port(PORT)
                .accessFlags(options.accessFlags())
                .build();
    }

    private static QueuePairAttributes readyToReceive(
            QueuePair queuePair, QueuePairAddress peer, ConnectOptions options, boolean isReliable) {
        PathMtu mtu = options.pathMtu();
        QueuePairAttributes.Builder attributes = QueuePairAttributes.builder()
                .state(QueuePairState.RTR)
                .addressVector(options.addressVector(peer.gid()))
                .pathMtu(
                        mtu != null
                                ? mtu
                                : queuePair.protectionDomain().device().port().activeMtu())
                .destinationQueuePair(peer.queuePairNumber())
                .receivePsn(peer.packetSequenceNumber());
        if (isReliable) {
            attributes.maxDestinationReadAtomic(options.maxReadAtomic()).minRnrTimer(options.minRnrTimer());
        }
        return attributes.build();
    }

    private static QueuePairAttributes readyToSend(QueuePair queuePair, ConnectOptions options, boolean isReliable) {
        QueuePairAttributes.Builder attributes = QueuePairAttributes.builder()
                .state(QueuePairState.RTS)
                .sendPsn(queuePair.localAddress().packetSequenceNumber());
        if (isReliable) {
            attributes
                    .timeout(options.timeout())
                    .retryCount(options.retryCount())
                    .rnrRetry(options.rnrRetry())
                    .maxReadAtomic(options.maxReadAtomic());
        }
        return attributes.build();
    }
}
