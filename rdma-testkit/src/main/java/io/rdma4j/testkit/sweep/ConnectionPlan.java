package io.rdma4j.testkit.sweep;

import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.PathMtu;
import java.util.List;
import java.util.Objects;

/**
 * How the queue pairs of a sweep are made and connected.
 *
 * @param options attributes of all of them
 * @param startPsns first PSN of each queue pair, at A and at B in turn
 * @param depth work requests each queue holds
 * @param completionQueues how completions are spread over completion queues
 * @param memory how the nodes register their memory
 * @param ipv6 whether the nodes have IPv6 addresses
 */
record ConnectionPlan(
        ConnectOptions options,
        List<Integer> startPsns,
        int depth,
        CompletionQueues completionQueues,
        MemoryLayout memory,
        boolean ipv6) {
    ConnectionPlan {
        startPsns = List.copyOf(startPsns);
    }

    PathMtu pathMtu() {
        return Objects.requireNonNull(options.pathMtu(), "a plan names its path MTU");
    }

    int queuePairs() {
        return startPsns.size() / 2;
    }

    int startPsn(int queuePair, Side side) {
        return startPsns.get(2 * queuePair + side.ordinal());
    }

    /** What the queue pairs have in common, and where their PSNs start. */
    void describe(StringBuilder text) {
        text.append("connection: ").append(options).append('\n');
        text.append("start PSNs, A and B in turn: ").append(startPsns).append('\n');
        text.append("queues: ")
                .append(depth)
                .append(" deep; completion queues ")
                .append(completionQueues);
        text.append("; memory ").append(memory).append(ipv6 ? "; IPv6\n" : "; IPv4\n");
    }

    /** Which queues share a completion queue. */
    enum CompletionQueues {
        ONE_FOR_ALL,
        SEND_AND_RECEIVE,
        PER_QUEUE_PAIR
    }

    /** How remote addresses come about. */
    enum MemoryLayout {
        DEVICE_CHOOSES,
        CALLER_CHOOSES,
        ZERO_BASED,
        SEVERAL_BUFFERS
    }
}
