package io.rdma4j.testkit.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FabricOptionsTest {
    @Test
    void healingKeepsTheDelaysAndEndsTheFaults() {
        FabricOptions options = new FabricOptions(0.1, 0.2, 0.3, 0.4, 500, 60);

        assertThat(options.healed()).isEqualTo(new FabricOptions(0, 0, 0, 0, 500, 60));
    }

    @Test
    void healingKeepsTheBandwidthAndMakesTheQueueEndless() {
        FabricOptions options =
                FabricOptions.clean().bandwidth(1_000).queueBytes(10_000).queueFrames(3);

        assertThat(options.healed()).isEqualTo(FabricOptions.clean().bandwidth(1_000));
    }

    @Test
    void aFrameTakesItsHeadersOfTheBandwidthToo() {
        assertThat(FabricOptions.wireBytes(16, true)).isEqualTo(16 + 8 + 20 + 38);
        assertThat(FabricOptions.wireBytes(16, false)).isEqualTo(16 + 8 + 40 + 38);
    }

    @Test
    void whatIsNoProbabilityIsRefusedByName() {
        assertThatThrownBy(() -> FabricOptions.clean().corrupt(1.5)).hasMessageContaining("corrupt");
        assertThatThrownBy(() -> FabricOptions.clean().loss(Double.NaN)).hasMessageContaining("loss");
        assertThatThrownBy(() -> FabricOptions.clean().delay(-1)).hasMessageContaining("delayNs");
        assertThatThrownBy(() -> FabricOptions.clean().bandwidth(-1)).hasMessageContaining("bitsPerSecond");
        assertThatThrownBy(() -> FabricOptions.clean().queueFrames(-1)).hasMessageContaining("queueFrames");
    }
}
