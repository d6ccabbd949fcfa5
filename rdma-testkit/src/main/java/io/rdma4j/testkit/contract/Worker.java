package io.rdma4j.testkit.contract;

/**
 * One of several activities of a case that go on at the same time. Where there are threads each worker has one; in virtual
 * time their steps take turns.
 */
@FunctionalInterface
public interface Worker {
    /**
     * Does a little and returns without waiting.
     *
     * @return whether there is more to do
     */
    boolean step();
}
