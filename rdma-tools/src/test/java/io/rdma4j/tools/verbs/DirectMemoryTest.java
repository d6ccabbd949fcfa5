package io.rdma4j.tools.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.tools.cli.ToolException;
import org.junit.jupiter.api.Test;

class DirectMemoryTest {
    @Test
    void refusesInWordsWhenJavaGrantsTooLittle() {
        assertThatThrownBy(() -> DirectMemory.allocate(128 << 20, bytes -> {
                    throw new OutOfMemoryError("Cannot reserve " + bytes + " bytes");
                }))
                .isInstanceOf(ToolException.class)
                .hasMessageContainingAll("128 MiB", "Cannot reserve 134217728 bytes", "-XX:MaxDirectMemorySize");
    }

    @Test
    void givesDirectMemoryOfTheSize() {
        assertThat(DirectMemory.allocate(100).isDirect()).isTrue();
        assertThat(DirectMemory.allocate(100).capacity()).isEqualTo(100);
    }
}
