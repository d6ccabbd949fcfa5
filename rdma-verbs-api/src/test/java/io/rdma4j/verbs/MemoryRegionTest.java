package io.rdma4j.verbs;

import static io.rdma4j.verbs.AccessFlag.LOCAL_WRITE;
import static io.rdma4j.verbs.AccessFlag.REMOTE_READ;
import static io.rdma4j.verbs.AccessFlag.ZERO_BASED;
import static io.rdma4j.verbs.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryRegionTest {
    private static final long IOVA = 0xFFFF_FFFF_FFFF_F000L;

    private final ProtectionDomain pd = new FakeDevice(DeviceConfig.of("fake", "here")).allocateProtectionDomain();
    private final MemoryRegion region = pd.registerMemory(
            MemoryRegionConfig.of(ByteBuffer.allocateDirect(4096)).iova(IOVA));

    @ParameterizedTest
    @CsvSource({"0, 0", "0, 4096", "4096, 0", "100, 3996"})
    void aSliceLiesAnywhereInTheRegion(long offset, long length) {
        assertThat(region.slice(offset, length)).isEqualTo(new ScatterGatherElement(IOVA + offset, length, 7));
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 1",
        "0, -1",
        "0, 4097",
        "4097, 0",
        "4096, 1",
        "1, 9223372036854775807",
        "9223372036854775807, 1",
        "9223372036854775807, 9223372036854775807"
    })
    void aSliceOutsideIsRefused(long offset, long length) {
        assertRefused(ErrorCode.EINVAL, () -> region.slice(offset, length))
                .hasMessageContaining("4096 bytes of the region");
    }

    @Test
    void allIsTheWholeRegion() {
        assertThat(region.all()).isEqualTo(region.slice(0, 4096));
    }

    @Test
    void aBufferIsRegisteredFromPositionToLimit() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(100).position(10).limit(60);
        FakeMemoryRegion plain = (FakeMemoryRegion) pd.registerMemory(buffer, LOCAL_WRITE, REMOTE_READ);
        buffer.clear();

        assertThat(plain.length()).isEqualTo(50);
        assertThat(plain.access()).containsExactly(LOCAL_WRITE, REMOTE_READ);
        assertThat(plain.config().iova()).isEmpty();
        assertThat(plain.config().buffers().get(0).isDirect()).isTrue();
    }

    @Test
    void severalBuffersAreOneRegion() {
        MemoryRegionConfig config =
                MemoryRegionConfig.of(ByteBuffer.allocateDirect(100), ByteBuffer.allocateDirect(28));

        assertThat(config.length()).isEqualTo(128);
        assertThat(config.buffers()).hasSize(2);
        assertThatThrownBy(() -> config.buffers().clear()).isInstanceOf(UnsupportedOperationException.class);
        assertRefused(ErrorCode.EINVAL, MemoryRegionConfig::of).hasMessageContaining("at least one buffer");
    }

    @Test
    void rightsAndAddressLeaveTheOriginalAlone() {
        MemoryRegionConfig plain = MemoryRegionConfig.of(ByteBuffer.allocateDirect(8));
        MemoryRegionConfig other = plain.access(LOCAL_WRITE).zeroBased();

        assertThat(plain.accessFlags()).isEmpty();
        assertThat(plain.isZeroBased()).isFalse();
        assertThat(other.accessFlags()).containsExactlyInAnyOrder(LOCAL_WRITE, ZERO_BASED);
        assertThat(other.isZeroBased()).isTrue();
        assertThat(plain.access(ZERO_BASED).isZeroBased()).isTrue();
        assertThat(plain.iova(4096).iova()).hasValue(4096);
        assertThat(plain.iova(4096)).hasToString("8 bytes in 1 buffers, access [], iova 0x1000");
        assertThat(plain.isRemoteInvalidate()).isFalse();
        assertThat(plain.remoteInvalidate().iova(4096).access(LOCAL_WRITE))
                .matches(MemoryRegionConfig::isRemoteInvalidate)
                .hasToString("8 bytes in 1 buffers, access [IBV_ACCESS_LOCAL_WRITE], iova 0x1000, "
                        + "a peer may invalidate it");
        assertThat(plain.remoteInvalidate().zeroBased().isRemoteInvalidate()).isTrue();
        other.accessFlags().clear();
        assertThat(other.isZeroBased()).isTrue();
    }

    @Test
    void aZeroBasedRegionHasNoChosenAddress() {
        MemoryRegionConfig plain = MemoryRegionConfig.of(ByteBuffer.allocateDirect(8));

        assertRefused(ErrorCode.EINVAL, () -> plain.iova(4096).zeroBased()).hasMessageContaining("not both");
        assertRefused(ErrorCode.EINVAL, () -> plain.zeroBased().iova(4096)).hasMessageContaining("not both");
        assertRefused(ErrorCode.EINVAL, () -> plain.iova(4096).access(ZERO_BASED))
                .hasMessageContaining("not both");
    }

    @Test
    void anElementHasNoNegativeLength() {
        assertRefused(ErrorCode.EINVAL, () -> new ScatterGatherElement(0, -1, 0))
                .hasMessageContaining("-1");
        assertThat(new ScatterGatherElement(IOVA, 1L << 31, 0x12))
                .hasToString("0xfffffffffffff000+2147483648 (lkey 0x12)");
    }
}
