package io.rdma4j.testkit.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BottleneckTest {
    /** One byte in a microsecond. */
    private static final FabricOptions SLOW = FabricOptions.clean().bandwidth(8_000_000);

    private final Bottleneck bottleneck = new Bottleneck();

    @Test
    void withoutABandwidthNothingWaits() {
        FabricOptions queueOnly = FabricOptions.clean().queueFrames(1);

        assertThat(bottleneck.leave(5, 1_000_000, queueOnly)).isEqualTo(5);
        assertThat(bottleneck.leave(5, 1_000_000, queueOnly)).isEqualTo(5);
    }

    @Test
    void framesLeaveOneAfterTheOther() {
        assertThat(bottleneck.leave(0, 100, SLOW)).isEqualTo(100_000);
        assertThat(bottleneck.leave(10, 50, SLOW)).isEqualTo(150_000);
        assertThat(bottleneck.leave(400_000, 1, SLOW)).isEqualTo(401_000);
    }

    @Test
    void timesAreRoundedUpSoThatTheBandwidthIsNeverExceeded() {
        assertThat(FabricOptions.clean().bandwidth(3).leavingNs(1)).isEqualTo(2_666_666_667L);
    }

    @Test
    void whatFindsNoRoomInBytesIsLostUntilSomethingHasLeft() {
        FabricOptions queue = SLOW.queueBytes(200);

        assertThat(bottleneck.leave(0, 150, queue)).isEqualTo(150_000);
        assertThat(bottleneck.leave(0, 51, queue)).isEqualTo(Bottleneck.NO_ROOM);
        assertThat(bottleneck.leave(0, 50, queue)).isEqualTo(200_000);
        assertThat(bottleneck.leave(149_999, 1, queue)).isEqualTo(Bottleneck.NO_ROOM);
        assertThat(bottleneck.leave(150_000, 150, queue)).isEqualTo(350_000);
    }

    @Test
    void whatFindsNoRoomInFramesIsLost() {
        FabricOptions queue = SLOW.queueFrames(2);

        assertThat(bottleneck.leave(0, 10, queue)).isEqualTo(10_000);
        assertThat(bottleneck.leave(0, 10, queue)).isEqualTo(20_000);
        assertThat(bottleneck.leave(9_999, 10, queue)).isEqualTo(Bottleneck.NO_ROOM);
        assertThat(bottleneck.leave(10_000, 10, queue)).isEqualTo(30_000);
    }
}
