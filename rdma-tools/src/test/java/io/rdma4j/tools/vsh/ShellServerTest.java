package io.rdma4j.tools.vsh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.verbs.RdmaDevices;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Shells over TCP, each with a device on loopback. */
@Timeout(60)
class ShellServerTest {
    private static final String URI = "udp://127.0.0.1?port=0";
    private static final int MAX_SESSIONS = 2;

    private final BlockingQueue<String> log = new LinkedBlockingQueue<>();
    private final ShellServer server = server(0);
    private volatile boolean isDeviceThere = true;
    private final Thread serving = new Thread(this::serve);

    private ShellServer server(int port) {
        try {
            return new ShellServer(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                    () -> RdmaDevices.open(isDeviceThere ? URI : "udp://192.0.2.99"),
                    MAX_SESSIONS,
                    log::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void serve() {
        try {
            server.serve();
        } catch (IOException e) {
            log.add("failed: " + e);
        }
    }

    @BeforeEach
    void start() {
        serving.start();
    }

    @AfterEach
    void stop() throws IOException, InterruptedException {
        server.close();
        serving.join();
    }

    /** A connection to the server. */
    private final class Client implements AutoCloseable {
        private final Socket socket = new Socket();
        private final BufferedReader in;
        private final OutputStream out;

        Client() throws IOException {
            socket.connect(server.address());
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            out = socket.getOutputStream();
        }

        void say(String lines) throws IOException {
            out.write((lines + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        }

        String ask(String line) throws IOException {
            say(line);
            return Objects.requireNonNull(in.readLine(), line);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private String logged() throws InterruptedException {
        return Objects.requireNonNull(log.poll(30, TimeUnit.SECONDS), "nothing was logged");
    }

    @Test
    void answersTheLaboratorysFirstLineAndThenCommands() throws Exception {
        try (Client client = new Client()) {
            assertThat(client.ask("exec vsh rxe0")).startsWith("OK dev=udp-127.0.0.1:");
            assertThat(client.ask("mr m size=16")).startsWith("OK addr=0x");
            assertThat(client.ask("nonsense")).isEqualTo("ERR unknown command nonsense");
            assertThat(client.ask("# silent\n\nhex m")).isEqualTo("ERR hex: range: the region has 16 bytes");
            assertThat(client.ask("quit")).isEqualTo("OK bye");
            assertThat(client.in.readLine()).isNull();
        }
        assertThat(logged()).endsWith(" begins");
        assertThat(logged()).endsWith(" ends");
    }

    @Test
    void sessionsHaveTheirOwnObjects() throws Exception {
        try (Client first = new Client();
                Client second = new Client()) {
            assertThat(first.ask("mr m size=16")).startsWith("OK");
            assertThat(second.ask("list")).isEqualTo("OK none");
            assertThat(first.ask("list")).isEqualTo("OK mr=m");
        }
    }

    @Test
    void turnsAwayOneConnectionTooMany() throws Exception {
        try (Client first = new Client();
                Client second = new Client();
                Client third = new Client()) {
            assertThat(first.ask("list")).isEqualTo("OK none");
            assertThat(second.ask("list")).isEqualTo("OK none");
            assertThat(third.in.readLine()).isEqualTo("ERR vsh: 2 sessions already");
            assertThat(third.in.readLine()).isNull();
        }
    }

    @Test
    void aClientThatGoesAwayMakesRoomForAnother() throws Exception {
        for (int i = 0; i < 2 * MAX_SESSIONS; i++) {
            try (Client client = new Client()) {
                assertThat(client.ask("qp q")).startsWith("OK qpn=");
            }
            assertThat(logged()).endsWith(" begins");
            assertThat(logged()).contains(" ends");
        }
        assertThat(server.sessions()).isZero();
    }

    @Test
    void doesWhatWasSaidBeforeTheClientStoppedTalking() throws Exception {
        try (Client client = new Client()) {
            client.say("mr m size=8\nsleep ms=50\nhex m len=2");
            client.socket.shutdownOutput();

            assertThat(client.in.readLine()).startsWith("OK addr=0x");
            assertThat(client.in.readLine()).isEqualTo("OK");
            assertThat(client.in.readLine()).isEqualTo("OK 0000");
            assertThat(client.in.readLine()).isNull();
        }
    }

    @Test
    void refusesALineWithoutEndAndGoesOn() throws Exception {
        try (Client client = new Client()) {
            assertThat(client.ask("x".repeat(1 << 20))).isEqualTo("ERR line: longer than 131072 characters");
            assertThat(client.ask("list")).isEqualTo("OK none");
        }
    }

    @Test
    void endsALongWaitWhenItIsClosed() throws Exception {
        try (Client client = new Client()) {
            assertThat(client.ask("cq cq")).startsWith("OK");
            client.say("poll ms=3600000");
            assertThat(logged()).endsWith(" begins");

            server.close();

            assertThat(logged()).contains(" ends");
            assertThat(server.sessions()).isZero();
        }
    }

    @Test
    void tellsWhenTheDeviceCannotBeOpened() throws Exception {
        isDeviceThere = false;
        try (Client client = new Client()) {
            assertThat(client.in.readLine()).startsWith("ERR vsh: ").contains("192.0.2.99");
            assertThat(client.in.readLine()).isNull();
        }
        assertThat(logged()).endsWith(" begins");
        assertThat(logged()).contains(" ends: ");
    }

    @Test
    void doesNotShareItsAddress() {
        assertThatThrownBy(() -> server(server.address().getPort())).isInstanceOf(UncheckedIOException.class);
    }
}
