package io.rdma4j.verbs;

import io.rdma4j.verbs.spi.RdmaProvider;
import java.util.List;
import java.util.Set;

/** Found by ServiceLoader in tests; its devices tell what they were opened with. */
public final class FakeProvider implements RdmaProvider {
    @Override
    public String scheme() {
        return "fake";
    }

    @Override
    public Set<String> optionNames() {
        return Set.of("port", "mtu");
    }

    @Override
    public RdmaDevice open(DeviceConfig config) {
        return new FakeDevice(config);
    }

    @Override
    public List<DeviceInfo> list() {
        return List.of(new DeviceInfo("fake://here", "fake0", Gid.ZERO, "a device for tests"));
    }

    /** A second one, with an option of its own. */
    public static final class Other implements RdmaProvider {
        @Override
        public String scheme() {
            return "other";
        }

        @Override
        public Set<String> optionNames() {
            return Set.of("seed");
        }

        @Override
        public RdmaDevice open(DeviceConfig config) {
            return new FakeDevice(config);
        }

        @Override
        public List<DeviceInfo> list() {
            return List.of();
        }
    }
}
