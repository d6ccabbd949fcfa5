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
    void whatIsNoProbabilityIsRefusedByName() {
        assertThatThrownBy(() -> FabricOptions.clean().corrupt(1.5)).hasMessageContaining("corrupt");
        assertThatThrownBy(() -> FabricOptions.clean().loss(Double.NaN)).hasMessageContaining("loss");
        assertThatThrownBy(() -> FabricOptions.clean().delay(-1)).hasMessageContaining("delayNs");
    }
}
