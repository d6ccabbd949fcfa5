package io.rdma4j.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.tools.cli.ToolException;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeerMessageTest {
    @Test
    void isOneLineAndReadsBackTheSame() {
        PeerMessage message = PeerMessage.of("ready")
                .with("key", Integer.toHexString(0x8001_0203))
                .withText("notes", "two words\nand = a line")
                .withText("nothing", "");

        PeerMessage read = Objects.requireNonNull(PeerMessage.decode(message.encode()));

        assertThat(message.encode()).doesNotContain("\n");
        assertThat(read).isEqualTo(message);
        assertThat(read.number("key")).isEqualTo(0x8001_0203L);
        assertThat(read.text("notes")).isEqualTo("two words\nand = a line");
        assertThat(read.text("nothing")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "OpenJDK 64-Bit Server VM warning: something", "rdma4j-demo:", "rdma4j-demo"})
    void passesOverLinesThatAreNoMessage(String line) {
        assertThat(PeerMessage.decode(line)).isNull();
    }

    @Test
    void namesAValueThatIsMissing() {
        assertThatThrownBy(() -> PeerMessage.of("counter").value("value"))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("'counter' without 'value'");
    }
}
