package io.rdma4j.testkit.verbs;

import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;

/**
 * A reliable queue pair and the PSN it shall start from, which {@link QueuePair#connect} leaves to chance: a test wants
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
        queuePair.modify(QueuePairAttributes.builder()
                .state(QueuePairState.RTR)
                .addressVector(AddressVector.of(peer.queuePair.localAddress().gid()))
                .pathMtu(mtu != null ? mtu : peer.activeMtu())
                .destinationQueuePair(peer.queuePair.number())
                .receivePsn(peer.startPsn)
                .maxDestinationReadAtomic(options.maxReadAtomic())
                .minRnrTimer(options.minRnrTimer())
                .build());
    }

    /** Takes this end from RTR to RTS. */
    public void start(ConnectOptions options) {
        queuePair.modify(QueuePairAttributes.builder()
                .state(QueuePairState.RTS)
                .sendPsn(startPsn)
                .timeout(options.timeout())
                .retryCount(options.retryCount())
                .rnrRetry(options.rnrRetry())
                .maxReadAtomic(options.maxReadAtomic())
                .build());
    }

    private PathMtu activeMtu() {
        return queuePair.protectionDomain().device().port().activeMtu();
    }
}
