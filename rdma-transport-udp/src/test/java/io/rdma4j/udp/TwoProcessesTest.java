package io.rdma4j.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.QueuePairAddress;
import io.rdma4j.verbs.RdmaDevices;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two JVMs, as in real life: what is exchanged out of band is text. */
@Timeout(60)
class TwoProcessesTest {
    private static final String PEER = "udp://" + OwnAddresses.host(20);
    private static final int BYTES = 1 << 20;

    private Process process;
    private BufferedReader in;
    private PrintStream out;

    /** The other process: receives one message, answers with its sum, and is written to. */
    static final class Peer {
        public static void main(String[] arguments) throws Exception {
            PrintStream out = System.out;
            System.setOut(System.err);
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            try (Endpoint endpoint = new Endpoint(arguments[0], BYTES)) {
                out.println(endpoint.queuePair.localAddress() + " " + endpoint.region.address() + " "
                        + endpoint.region.remoteKey());
                endpoint.queuePair.connect(QueuePairAddress.parse(in.readLine()));
                endpoint.queuePair.postReceive(ReceiveRequest.of(1, endpoint.region.all()));
                out.println("ready");
                out.println(endpoint.next().byteLength());
                out.println(endpoint.memory.hashCode());
                in.readLine();
                out.println(endpoint.memory.hashCode());
            }
        }
    }

    @BeforeEach
    void startPeer() throws Exception {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Peer.class.getName(),
                        PEER)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        in = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        out = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    @AfterEach
    void endPeer() throws Exception {
        out.close();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }

    @Test
    void sendAndWriteCrossProcessesAndThePortIsTheirs() throws Exception {
        String[] peer = in.readLine().split(" ");

        assertThatThrownBy(() -> RdmaDevices.open(PEER))
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.EADDRINUSE))
                .hasMessageContaining("4791")
                .hasMessageContaining("another process");

        try (Endpoint here = new Endpoint("udp://127.9.5.2?port=0", BYTES)) {
            here.queuePair.connect(QueuePairAddress.parse(peer[0]));
            out.println(here.queuePair.localAddress());
            assertThat(in.readLine()).isEqualTo("ready");

            here.fill(1);
            here.queuePair.postSend(Send.of(1, here.region.all()).signaled());
            here.next();
            assertThat(in.readLine()).isEqualTo(String.valueOf(BYTES));
            assertThat(in.readLine()).isEqualTo(String.valueOf(here.memory.hashCode()));

            here.fill(2);
            here.queuePair.postSend(RdmaWrite.of(2, here.region.all())
                    .to(Long.parseLong(peer[1]), Integer.parseInt(peer[2]))
                    .signaled());
            here.next();
            out.println("written");
            assertThat(in.readLine()).isEqualTo(String.valueOf(here.memory.hashCode()));
        }
    }
}
