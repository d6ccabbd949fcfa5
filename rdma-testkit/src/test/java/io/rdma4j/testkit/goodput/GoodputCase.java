package io.rdma4j.testkit.goodput;

import io.rdma4j.testkit.fabric.FabricOptions;

/**
 * One row of the table: what is moved, by how many queue pairs, through which network.
 *
 * @param operation who moves data, and which way
 * @param queuePairs connections between the two devices, all busy all the time
 * @param windowBytes what may be under way to a peer at first
 * @param network both directions alike
 */
record GoodputCase(Operation operation, int queuePairs, int windowBytes, FabricOptions network) {
    enum Operation {
        WRITE,
        READ
    }

    /** A row with the usual network: 1 Gbit/s, 20 us each way, an endless queue, no loss. */
    static GoodputCase of(Operation operation) {
        FabricOptions network = FabricOptions.clean().bandwidth(1_000_000_000L).delay(20_000);
        return new GoodputCase(operation, 1, 1 << 20, network);
    }

    GoodputCase queuePairs(int count) {
        return new GoodputCase(operation, count, windowBytes, network);
    }

    GoodputCase window(int bytes) {
        return new GoodputCase(operation, queuePairs, bytes, network);
    }

    GoodputCase loss(double probability) {
        return new GoodputCase(operation, queuePairs, windowBytes, network.loss(probability));
    }

    GoodputCase bandwidth(long bitsPerSecond) {
        return new GoodputCase(operation, queuePairs, windowBytes, network.bandwidth(bitsPerSecond));
    }

    GoodputCase queue(int frames) {
        return new GoodputCase(operation, queuePairs, windowBytes, network.queueFrames(frames));
    }
}
