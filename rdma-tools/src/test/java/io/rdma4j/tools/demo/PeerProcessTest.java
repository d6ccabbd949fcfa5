package io.rdma4j.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.tools.cli.ToolException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PeerProcessTest {
    private static final String DEVICE = "udp://127.0.0.1?port=0";
    private static final List<String> PEER = List.of("demo-peer", "--device", DEVICE, "--fallback", DEVICE);

    @Test
    void endsByItselfWhenNobodyTalksToItAnyMore() {
        PeerProcess peer = PeerProcess.start(PEER);
        peer.expect("ready");
        ProcessHandle handle = ProcessHandle.of(peer.pid()).orElseThrow();

        peer.endInput();

        assertThat(handle.onExit().join().isAlive()).isFalse();
    }

    @Test
    void isGoneWhenClosedInTheMiddleOfAQuestion() {
        PeerProcess peer = PeerProcess.start(PEER);
        peer.expect("ready");
        peer.tell(PeerMessage.of("greet")); // nobody will ever greet it

        peer.close();

        assertThat(ProcessHandle.of(peer.pid()).map(ProcessHandle::isAlive)).isNotEqualTo(Optional.of(true));
    }

    @Test
    void reportsThatItEndedBeforeItsTime() {
        try (PeerProcess peer = PeerProcess.start(List.of("--version"))) {
            assertThatThrownBy(() -> peer.expect("ready"))
                    .isInstanceOf(ToolException.class)
                    .hasMessageContaining("ended unexpectedly, exit code 0");
        }
    }
}
