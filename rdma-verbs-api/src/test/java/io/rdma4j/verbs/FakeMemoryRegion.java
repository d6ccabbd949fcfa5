package io.rdma4j.verbs;

import java.time.Duration;
import java.util.Set;

/** A region that only knows its place. */
record FakeMemoryRegion(ProtectionDomain protectionDomain, MemoryRegionConfig config) implements MemoryRegion {
    @Override
    public long address() {
        return config.iova().orElse(0);
    }

    @Override
    public long length() {
        return config.length();
    }

    @Override
    public int localKey() {
        return 7;
    }

    @Override
    public int remoteKey() {
        return 8;
    }

    @Override
    public Set<AccessFlag> access() {
        return config.accessFlags();
    }

    @Override
    public long longAcquire(long offset) {
        throw FakeDevice.unsupported();
    }

    @Override
    public void longRelease(long offset, long value) {
        throw FakeDevice.unsupported();
    }

    @Override
    public boolean awaitLong(long offset, long expected, Duration timeout) {
        throw FakeDevice.unsupported();
    }

    @Override
    public void reregister(MemoryRegionUpdate update) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
