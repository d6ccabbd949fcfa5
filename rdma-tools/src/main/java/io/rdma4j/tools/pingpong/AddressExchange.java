package io.rdma4j.tools.pingpong;

import io.rdma4j.tools.cli.ToolException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The TCP conversation of {@code ibv_rc_pingpong}: the client sends its address, the server answers with its own once it
 * is ready to receive, the client says {@code done}. The C tool reads each message with a single call, so each is
 * written with a single one.
 */
final class AddressExchange {
    private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);
    private static final int CONNECT_MILLIS = 10_000;
    private static final int ANSWER_MILLIS = 30_000;

    private AddressExchange() {}

    /** The client's part: gives the server's address. */
    static PingpongAddress asClient(String host, int port, PingpongAddress local) {
        try (Socket socket = connect(host, port)) {
            socket.getOutputStream().write(local.encode());
            PingpongAddress remote =
                    PingpongAddress.decode(read(socket, PingpongAddress.MESSAGE_LENGTH, "its address"));
            socket.getOutputStream().write(DONE);
            return remote;
        } catch (IOException e) {
            throw new ToolException("cannot exchange addresses with " + host + ":" + port + ": " + e.getMessage(), e);
        }
    }

    /**
     * The server's part: gives the client's address.
     *
     * @param connect readies the queue pair for the client; called before the answer goes out, because the client sends
     *     as soon as it has it
     */
    static PingpongAddress asServer(ServerSocket server, PingpongAddress local, Consumer<PingpongAddress> connect) {
        try (Socket socket = server.accept()) {
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.setTcpNoDelay(true);
            PingpongAddress remote =
                    PingpongAddress.decode(read(socket, PingpongAddress.MESSAGE_LENGTH, "its address"));
            connect.accept(remote);
            socket.getOutputStream().write(local.encode());
            if (!socketSaysDone(socket)) {
                throw new ToolException("the client did not say 'done' after the exchange of addresses");
            }
            return remote;
        } catch (IOException e) {
            throw new ToolException("cannot exchange addresses with the client: " + e.getMessage(), e);
        }
    }

    /** Listens on all addresses of the machine, IPv4 and IPv6; port 0 picks a free one. */
    static ServerSocket listen(int port) {
        try {
            ServerSocket server = new ServerSocket();
            server.setReuseAddress(true); // a run may follow the last one at once
            server.bind(new InetSocketAddress(port));
            return server;
        } catch (IOException e) {
            throw new ToolException("cannot listen on TCP port " + port + ": " + e.getMessage(), e);
        }
    }

    /** Tries each address of the host, as the C tool does. */
    private static Socket connect(String host, int port) throws IOException {
        InetAddress[] addresses;
        try {
            addresses = InetAddress.getAllByName(host);
        } catch (UnknownHostException e) {
            throw new ToolException("unknown host " + host, e);
        }
        IOException failure = new IOException("no address");
        for (InetAddress address : addresses) {
            Socket socket = new Socket();
            try {
                socket.connect(new InetSocketAddress(address, port), CONNECT_MILLIS);
                socket.setSoTimeout(ANSWER_MILLIS);
                socket.setTcpNoDelay(true);
                return socket;
            } catch (IOException e) {
                socket.close();
                failure = e;
            }
        }
        throw new ToolException(
                "cannot connect to " + host + ":" + port + ": " + failure.getMessage()
                        + "; the server has to be started first",
                failure);
    }

    /** The zero at the end is not insisted on: the C tool takes any answer. */
    private static boolean socketSaysDone(Socket socket) throws IOException {
        byte[] said = socket.getInputStream().readNBytes(DONE.length);
        return said.length >= DONE.length - 1 && Arrays.equals(said, Arrays.copyOf(DONE, said.length));
    }

    private static byte[] read(Socket socket, int length, String what) throws IOException {
        InputStream in = socket.getInputStream();
        byte[] message;
        try {
            message = in.readNBytes(length);
        } catch (SocketTimeoutException e) {
            throw new ToolException("the peer did not send " + what + " within " + ANSWER_MILLIS / 1000 + " s", e);
        }
        if (message.length < length) {
            throw new ToolException("the peer closed the connection before it sent " + what);
        }
        return message;
    }
}
