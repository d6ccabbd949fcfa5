package io.rdma4j.core.engine;

import io.rdma4j.verbs.AsyncEventType;

/** Hears of asynchronous events (§10); called on the owner thread, so it must hand them on and return. */
@FunctionalInterface
public interface EventListener {
    /**
     * Takes an event.
     *
     * @param number of the queue pair, completion queue or port it is about
     */
    void onEvent(AsyncEventType type, int number);
}
