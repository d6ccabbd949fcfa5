package io.rdma4j.core.link;

/** How the engine asks its driver, from any thread, to call {@code advance} soon. Calls are coalesced by the engine. */
@FunctionalInterface
public interface Wakeup {
    /** Requests one call of {@code advance}; must not block and may be called from any thread. */
    void wake();
}
