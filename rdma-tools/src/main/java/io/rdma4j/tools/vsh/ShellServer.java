package io.rdma4j.tools.vsh;

import io.rdma4j.tools.vsh.shell.Session;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.RdmaException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Shells over TCP: a session for each connection, with a thread and a context on the device of its own. When a connection
 * ends, by {@code quit}, by its end or by a failure, the objects of its session are destroyed.
 *
 * <p>Threading: {@link #serve} runs on one thread; {@link #close} may be called from another.
 */
final class ShellServer implements AutoCloseable {
    private static final int BACKLOG = 16;

    /** How long sessions get to destroy their objects when the server is closed. */
    private static final long CLOSING_MILLIS = 5_000;

    private final ServerSocket socket;
    private final Supplier<RdmaDevice> devices;
    private final int maxSessions;
    private final Consumer<String> log;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();

    /**
     * Binds the address.
     *
     * @param devices opens the device, once for each session
     * @param maxSessions at a time; a further connection is told so and closed
     * @param log gets a line for each session that begins or ends
     */
    ShellServer(InetSocketAddress address, Supplier<RdmaDevice> devices, int maxSessions, Consumer<String> log)
            throws IOException {
        this.devices = devices;
        this.maxSessions = maxSessions;
        this.log = log;
        socket = new ServerSocket();
        try {
            socket.setReuseAddress(true);
            socket.bind(address, BACKLOG);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Where it listens. */
    InetSocketAddress address() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    /** How many sessions there are now. */
    int sessions() {
        return connections.size();
    }

    /** Takes connections until the server is closed. */
    void serve() throws IOException {
        while (!socket.isClosed()) {
            try {
                accept(socket.accept());
            } catch (IOException e) {
                if (!socket.isClosed()) {
                    throw e;
                }
            }
        }
    }

    private void accept(Socket client) throws IOException {
        if (connections.size() >= maxSessions) {
            try (client;
                    PrintWriter out = writer(client)) {
                out.println("ERR vsh: " + maxSessions + " sessions already");
            }
            return;
        }
        Connection connection = new Connection(client);
        connections.add(connection);
        connection.thread.start();
    }

    private static PrintWriter writer(Socket client) throws IOException {
        client.setTcpNoDelay(true);
        client.setKeepAlive(true);
        return new PrintWriter(new OutputStreamWriter(client.getOutputStream(), StandardCharsets.UTF_8), false);
    }

    /** Ends all sessions, and waits until their objects are destroyed. */
    @Override
    public void close() throws IOException {
        socket.close();
        for (Connection connection : connections) {
            connection.client.close();
            connection.thread.interrupt();
        }
        try {
            for (Connection connection : connections) {
                connection.thread.join(CLOSING_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A client and its session. */
    private final class Connection {
        private final Socket client;
        private final Thread thread;

        Connection(Socket client) {
            this.client = client;
            this.thread = new Thread(this::run, "vsh " + client.getRemoteSocketAddress());
        }

        private void run() {
            String who = "session of " + client.getRemoteSocketAddress();
            log.accept(who + " begins");
            String end = " ends";
            try (client) {
                talk(writer(client));
            } catch (IOException | RdmaException e) {
                end = " ends: " + e.getMessage();
            } finally {
                connections.remove(this); // before anybody hears that there is room again
                log.accept(who + end);
            }
        }

        private void talk(PrintWriter out) throws IOException {
            try (RdmaDevice device = devices.get();
                    Session session = new Session(device, new RealTimeWaiter())) {
                InputStreamReader in = new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8);
                new PlainShell(session, out, false, false).run(new BoundedLines(in));
            } catch (RdmaException e) {
                out.println("ERR vsh: " + e.getMessage());
                out.flush();
                throw e;
            }
        }
    }
}
