package io.rdma4j.tools.vsh.shell;

import java.util.function.BooleanSupplier;

/** How a session lets time pass: real time, or the virtual time of a simulated network. */
@FunctionalInterface
public interface Waiter {
    /**
     * Waits until the condition holds.
     *
     * @param condition asked at least once, and again and again
     * @param millis how long to wait at most
     */
    void await(BooleanSupplier condition, long millis);
}
