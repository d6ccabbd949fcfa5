package io.rdma4j.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.tools.cli.ToolException;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.QueuePairAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PingpongAddressTest {
    private static final String MESSAGE = "0000:000070:86de39:00000000000000000000ffffc0000202";

    private final PingpongAddress address =
            new PingpongAddress(0, new QueuePairAddress(0x70, 0x86DE39, Gid.parse("::ffff:192.0.2.2")));

    @Test
    void isTheMessageOfTheCTool() {
        assertThat(address.encode()).isEqualTo((MESSAGE + "\0").getBytes(StandardCharsets.US_ASCII));
        assertThat(address.encode()).hasSize(PingpongAddress.MESSAGE_LENGTH).hasSize(52);
    }

    @Test
    void readsWhatTheCToolSends() {
        assertThat(decode(MESSAGE + "\0")).isEqualTo(address);
        assertThat(decode(MESSAGE)).isEqualTo(address);
        assertThat(decode("001A:FFFFFF:000000:FE80000000000000505400FFFE123402\0")
                        .lid())
                .isEqualTo(0x1A);
    }

    @Test
    void isShownAsTheCToolShowsIt() {
        assertThat(address.describe()).isEqualTo("LID 0x0000, QPN 0x000070, PSN 0x86de39, GID ::ffff:192.0.2.2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "GET / HTTP/1.1",
                "0000:000070:86de39",
                "0000:000070:86de39:0000",
                "0000:00007g:86de39:00000000000000000000ffffc0000202",
                "0000:000070:86de39:00000000000000000000ffffc0000202:",
                "0000:-00070:86de39:00000000000000000000ffffc0000202"
            })
    void refusesAnythingElseAndShowsIt(String message) {
        assertThatThrownBy(() -> decode(message))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("lid:qpn:psn:gid")
                .hasMessageContaining("'" + message + "'");
    }

    @Test
    void doesNotLetAPeerWriteToTheTerminal() {
        assertThatThrownBy(() -> decode("\u001B[2Jhello")).hasMessageContaining("'.[2Jhello'");
    }

    private static PingpongAddress decode(String message) {
        return PingpongAddress.decode(message.getBytes(StandardCharsets.ISO_8859_1));
    }
}
