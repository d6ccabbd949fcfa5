package io.rdma4j.testkit.verbs;

import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.QueuePairType;

/**
 * A connected queue pair, reliable or not, and the PSN it shall start from, which {@link QueuePair#connect} leaves to chance: a test wants
 * to stand right before the wrap.
 *
 * @param queuePair in RESET
 * @param startPsn PSN of its first request
 */
public record ConnectionEnd(QueuePair queuePair, int startPsn) {
    /** Connects two ends with each other, both with the same options. */
    public void connect(ConnectionEnd peer, ConnectOptions options) {
        prepare(peer, options);
        peer.prepare(this, options);
        start(options);
        peer.start(options);
    }

    /** Takes this end to RTR: it answers the peer, but sends nothing of its own. */
    public void prepare(ConnectionEnd peer, ConnectOptions options) {
        queuePair.modify(QueuePairAttributes.builder()
                .state(QueuePairState.INIT)
                .pkeyIndex(0)
                .port(1)
                .accessFlags(options.accessFlags())
                .build());
        PathMtu mtu = options.pathMtu();
        QueuePairAttributes.Builder attributes = QueuePairAttributes.builder()
                .state(QueuePairState.RTR)
                .addressVector(AddressVector.of(peer.queuePair.localAddress().gid()))
                .pathMtu(mtu != null ? mtu : peer.activeMtu())
                .destinationQueuePair(peer.queuePair.number())
                .receivePsn(peer.startPsn);
        if (isReliable()) {
            attributes.maxDestinationReadAtomic(options.maxReadAtomic()).minRnrTimer(options.minRnrTimer());
        }
        queuePair.modify(attributes.build());
    }

    /** Takes this end from RTR to RTS. */
    public void start(ConnectOptions options) {
        QueuePairAttributes.Builder attributes =
                QueuePairAttributes.builder().state(QueuePairState.RTS).sendPsn(startPsn);
        if (isReliable()) {
            attributes
                    .timeout(options.timeout())
                    .retryCount(options.retryCount())
                    .rnrRetry(options.rnrRetry())
                    .maxReadAtomic(options.maxReadAtomic());
        }
        queuePair.modify(attributes.build());
    }

    private boolean isReliable() {
        return queuePair.type() == QueuePairType.RC;
    }

    private PathMtu activeMtu() {
        return queuePair.protectionDomain().device().port().activeMtu();
    }
}
