package io.rdma4j.verbs;

import java.nio.ByteBuffer;

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
    public MemoryRegion allocateNullRegion() {
        throw FakeDevice.unsupported();
    }

    @Override
    public FastRegistrationRegion allocateFastRegistration(int maxBuffers) {
        throw FakeDevice.unsupported();
    }

    @Override
    public MemoryWindow allocateMemoryWindow(MemoryWindowType kind) {
        throw FakeDevice.unsupported();
    }

    @Override
    public AddressHandle createAddressHandle(AddressVector vector) {
        throw FakeDevice.unsupported();
    }

    @Override
    public AddressHandle createAddressHandle(WorkCompletion completion, ByteBuffer header) {
        throw FakeDevice.unsupported();
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(SharedReceiveQueueAttributes attributes) {
        throw FakeDevice.unsupported();
    }

    @Override
    public void close() {}
}
