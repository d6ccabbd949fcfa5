package io.rdma4j.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.tools.cli.ToolException;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.QueuePairAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The TCP conversation against a scripted other end that speaks as the C tool does. */
@Timeout(30)
class AddressExchangeTest {
    private static final String THEIRS = "0000:00006f:ddf29d:00000000000000000000ffffc0000203\0";
    private static final String OURS = "0000:000070:86de39:00000000000000000000ffffc0000202\0";
    private static final PingpongAddress LOCAL =
            new PingpongAddress(0, new QueuePairAddress(0x70, 0x86DE39, Gid.parse("::ffff:192.0.2.2")));

    private final ExecutorService other = Executors.newSingleThreadExecutor();

    /** What the scripted end does with its connection. */
    private interface Script {
        void run(Socket socket) throws IOException;
    }

    @AfterEach
    void stop() throws InterruptedException {
        other.shutdown();
        assertThat(other.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void clientSendsItsAddressTakesTheAnswerAndSaysDone() throws IOException {
        List<String> heard = new ArrayList<>();
        PingpongAddress remote;
        CompletableFuture<Void> server;
        try (ServerSocket socket = AddressExchange.listen(0)) {
            server = serve(socket, connection -> {
                heard.add(read(connection, 52));
                write(connection, THEIRS);
                heard.add(read(connection, 5));
            });
            remote = AddressExchange.asClient("127.0.0.1", socket.getLocalPort(), LOCAL);
            server.join();
        }
        assertThat(heard).containsExactly(OURS, "done\0");
        assertThat(remote.endpoint().queuePairNumber()).isEqualTo(0x6F);
        assertThat(remote.endpoint().packetSequenceNumber()).isEqualTo(0xDDF29D);
    }

    @Test
    void serverIsConnectedBeforeItAnswers() throws IOException {
        List<String> order = new ArrayList<>();
        try (ServerSocket socket = AddressExchange.listen(0)) {
            CompletableFuture<Void> client = call(socket.getLocalPort(), connection -> {
                write(connection, THEIRS);
                order.add(read(connection, 52));
                write(connection, "done\0");
            });
            PingpongAddress remote = AddressExchange.asServer(
                    socket,
                    LOCAL,
                    peer -> order.add("connected to " + peer.endpoint().queuePairNumber()));
            client.join();
            assertThat(remote.endpoint().gid()).isEqualTo(Gid.parse("::ffff:192.0.2.3"));
        }
        assertThat(order).containsExactly("connected to 111", OURS);
    }

    @Test
    void serverTakesAMessageThatComesInPieces() throws IOException {
        try (ServerSocket socket = AddressExchange.listen(0)) {
            CompletableFuture<Void> client = call(socket.getLocalPort(), connection -> {
                write(connection, THEIRS.substring(0, 20));
                write(connection, THEIRS.substring(20));
                read(connection, 52);
                write(connection, "done"); // the terminating zero is not insisted on
            });
            assertThat(AddressExchange.asServer(socket, LOCAL, peer -> {}).encode())
                    .isEqualTo(THEIRS.getBytes(StandardCharsets.US_ASCII));
            client.join();
        }
    }

    @Test
    void serverRefusesAClientThatLeavesOrSaysSomethingElse() throws IOException {
        try (ServerSocket socket = AddressExchange.listen(0)) {
            call(socket.getLocalPort(), connection -> write(connection, "0000:00"));
            assertThatThrownBy(() -> AddressExchange.asServer(socket, LOCAL, peer -> {}))
                    .isInstanceOf(ToolException.class)
                    .hasMessageContaining("closed the connection");

            call(socket.getLocalPort(), connection -> {
                write(connection, THEIRS);
                read(connection, 52);
                write(connection, "gone\0");
            });
            assertThatThrownBy(() -> AddressExchange.asServer(socket, LOCAL, peer -> {}))
                    .isInstanceOf(ToolException.class)
                    .hasMessageContaining("'done'");
        }
    }

    @Test
    void clientSaysSoWhenNobodyListens() throws IOException {
        int port;
        try (ServerSocket closed = new ServerSocket(0)) {
            port = closed.getLocalPort();
        }
        assertThatThrownBy(() -> AddressExchange.asClient("127.0.0.1", port, LOCAL))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("127.0.0.1:" + port)
                .hasMessageContaining("the server has to be started first");
    }

    @Test
    void serverSaysSoWhenItsPortIsTaken() throws IOException {
        try (ServerSocket taken = AddressExchange.listen(0)) {
            assertThatThrownBy(() -> AddressExchange.listen(taken.getLocalPort()))
                    .isInstanceOf(ToolException.class)
                    .hasMessageContaining("TCP port " + taken.getLocalPort());
        }
    }

    private CompletableFuture<Void> serve(ServerSocket server, Script script) {
        return run(() -> {
            try (Socket socket = server.accept()) {
                script.run(socket);
            }
        });
    }

    private CompletableFuture<Void> call(int port, Script script) {
        return run(() -> {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                script.run(socket);
            }
        });
    }

    private interface Work {
        void run() throws IOException;
    }

    private CompletableFuture<Void> run(Work work) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                },
                other);
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String read(Socket socket, int length) throws IOException {
        return new String(socket.getInputStream().readNBytes(length), StandardCharsets.US_ASCII);
    }
}
