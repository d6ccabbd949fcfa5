package io.rdma4j.verbs;

/** A domain whose regions are fake. */
record FakeProtectionDomain(RdmaDevice device) implements ProtectionDomain {
    @Override
    public MemoryRegion registerMemory(MemoryRegionConfig config) {
        return new FakeMemoryRegion(this, config);
    }

    @Override
    public QueuePair createQueuePair(QueuePairConfig config) {
        throw FakeDevice.unsupported();
    }

    @Override
    public void close() {}
}
