package io.rdma4j.verbs;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A device that knows its configuration and its port, and can do nothing. */
final class FakeDevice implements RdmaDevice {
    private final DeviceConfig config;

    FakeDevice(DeviceConfig config) {
        this.config = config;
    }

    DeviceConfig config() {
        return config;
    }

    @Override
    public String name() {
        return "fake0";
    }

    @Override
    public DeviceAttributes attributes() {
        throw unsupported();
    }

    @Override
    public PortAttributes port() {
        return new PortAttributes(PortState.ACTIVE, PathMtu.MTU_4096, PathMtu.MTU_1024, 1, 1, 1L << 31, "Ethernet");
    }

    @Override
    public Gid gid() {
        return Gid.ZERO;
    }

    @Override
    public Map<String, Long> counters() {
        return Map.of();
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() {
        return new FakeProtectionDomain(this);
    }

    @Override
    public CompletionChannel createCompletionChannel() {
        throw unsupported();
    }

    @Override
    public CompletionQueue createCompletionQueue(int capacity) {
        throw unsupported();
    }

    @Override
    public CompletionQueue createCompletionQueue(int capacity, CompletionChannel channel) {
        throw unsupported();
    }

    @Override
    public @Nullable AsyncEvent awaitAsyncEvent(Duration timeout) {
        return null;
    }

    @Override
    public void close() {}

    static RdmaException unsupported() {
        return new RdmaException(ErrorCode.EOPNOTSUPP, "a fake");
    }
}
