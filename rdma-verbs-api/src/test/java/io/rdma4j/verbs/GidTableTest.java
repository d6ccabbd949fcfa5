package io.rdma4j.verbs;

import static io.rdma4j.verbs.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GidTableTest {
    private final RdmaDevice device = new FakeDevice(DeviceConfig.of("fake", "here"));

    @Test
    void aDeviceOfOneAddressHasOneEntry() {
        assertThat(device.gidTable()).containsExactly(new GidEntry(0, 1, device.gid(), GidType.ROCE_V2));
        assertThat(device.gid(0)).isEqualTo(device.gid());
    }

    @Test
    void anIndexBeyondTheTableIsNamed() {
        assertRefused(ErrorCode.EINVAL, () -> device.gid(7)).hasMessageContaining("GID index 7");
        assertRefused(ErrorCode.EINVAL, () -> device.gid(-1)).hasMessageContaining("not in 0..0");
    }
}
