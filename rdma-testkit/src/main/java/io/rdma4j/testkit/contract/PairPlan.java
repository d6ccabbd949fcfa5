package io.rdma4j.testkit.contract;

import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairType;
import java.util.function.UnaryOperator;

/**
 * What pair of queue pairs to make. Immutable; each method returns a new plan.
 *
 * @param type of both
 * @param options both are connected with
 * @param shape what is changed in the configuration of both: sizes, shared receives
 * @param memoryBytes memory of each
 * @param completions entries of each completion queue
 * @param isConnected whether they are connected, or stay in RESET
 * @param deviceA index of the device of {@code a}
 * @param deviceB index of the device of {@code b}
 */
public record PairPlan(
        QueuePairType type,
        ConnectOptions options,
        UnaryOperator<QueuePairConfig> shape,
        int memoryBytes,
        int completions,
        boolean isConnected,
        int deviceA,
        int deviceB) {
    private static final int MEMORY_BYTES = 64 << 10;
    private static final int COMPLETIONS = 256;

    /** Connected and reliable, of default sizes. */
    public static final PairPlan RELIABLE = of(QueuePairType.RC);

    /** Of default sizes; datagrams stay in RESET, the others are connected. */
    public static PairPlan of(QueuePairType type) {
        return new PairPlan(
                type,
                ConnectOptions.DEFAULT,
                UnaryOperator.identity(),
                MEMORY_BYTES,
                COMPLETIONS,
                type != QueuePairType.UD,
                0,
                1);
    }

    /** The same, connected with these options. */
    public PairPlan options(ConnectOptions value) {
        return new PairPlan(type, value, shape, memoryBytes, completions, isConnected, deviceA, deviceB);
    }

    /** The same with this changed in the configuration of both queue pairs, besides what is changed already. */
    public PairPlan shape(UnaryOperator<QueuePairConfig> change) {
        UnaryOperator<QueuePairConfig> before = shape;
        UnaryOperator<QueuePairConfig> both = config -> change.apply(before.apply(config));
        return new PairPlan(type, options, both, memoryBytes, completions, isConnected, deviceA, deviceB);
    }

    /** The same with so much memory at each end. */
    public PairPlan memory(int bytes) {
        return new PairPlan(type, options, shape, bytes, completions, isConnected, deviceA, deviceB);
    }

    /** The same with so many entries in each of the four completion queues. */
    public PairPlan completions(int entries) {
        return new PairPlan(type, options, shape, memoryBytes, entries, isConnected, deviceA, deviceB);
    }

    /** The same, left in RESET. */
    public PairPlan unconnected() {
        return new PairPlan(type, options, shape, memoryBytes, completions, false, deviceA, deviceB);
    }

    /** The same on these devices, which may be one. */
    public PairPlan devices(int ofA, int ofB) {
        return new PairPlan(type, options, shape, memoryBytes, completions, isConnected, ofA, ofB);
    }
}
