package io.rdma4j.tools.vsh;

import io.rdma4j.tools.cli.ToolCommand;
import io.rdma4j.tools.cli.ToolException;
import io.rdma4j.tools.text.Terminal;
import io.rdma4j.tools.verbs.DeviceOption;
import io.rdma4j.tools.vsh.shell.Session;
import io.rdma4j.verbs.RdmaDevice;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.net.InetSocketAddress;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code vsh}: verbs by hand, a line each, to learn them, to look into trouble, and for scripts. */
@Command(
        name = "vsh",
        description = {
            "A verbs shell: one command a line, one answer line each, 'OK key=value...' or 'ERR what: reason'.",
            "On a terminal lines can be edited and completed, and answers are explained; 'help' lists the commands."
        },
        footer = {
            "",
            "Examples:",
            "  rdma4j vsh",
            "  rdma4j vsh -c 'mr m size=4096' -c 'fill m seed=1' -c 'hex m len=8'",
            "  rdma4j vsh -d udp://192.0.2.1 --listen 127.0.0.1:2222",
            "It exits with 1 when a command of a script or pipe was refused."
        })
public final class VshCommand extends ToolCommand {
    private static final int MAX_SESSIONS = 1_000;

    @Mixin
    private DeviceOption device = new DeviceOption();

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "FILE",
            description = "Commands to run instead of those of standard input.")
    private @Nullable Path script;

    @Option(
            names = {"-c", "--command"},
            paramLabel = "COMMAND",
            description = "A command to run instead of those of standard input; may be given again.")
    private List<String> commands = new ArrayList<>();

    @Option(
            names = {"-x", "--echo"},
            description = "Print each command before its answer, behind '> '.")
    private boolean echo;

    @Option(
            names = {"-e", "--explain"},
            description = "Explain answers, in lines that begin with '#'.")
    private boolean explain;

    @Option(
            names = {"-l", "--listen"},
            paramLabel = "HOST:PORT",
            description = "Wait for connections there; each is a session. Whoever can connect can use the device.")
    private @Nullable String listen;

    @Option(
            names = "--sessions",
            paramLabel = "N",
            defaultValue = "16",
            description = "With --listen: how many sessions at a time (default: ${DEFAULT-VALUE}).")
    private int sessions;

    @Override
    public Integer call() throws IOException {
        int sources = (script == null ? 0 : 1) + (commands.isEmpty() ? 0 : 1) + (listen == null ? 0 : 1);
        require(sources <= 1, "give one of FILE, --command and --listen");
        require(sessions >= 1 && sessions <= MAX_SESSIONS, "--sessions has to be 1 to 1000, not " + sessions);
        if (listen != null) {
            return serve(address(listen));
        }
        try (RdmaDevice opened = device.open();
                Session session = new Session(opened, new RealTimeWaiter())) {
            return run(session);
        }
    }

    private int run(Session session) throws IOException {
        PlainShell shell = new PlainShell(session, out(), echo, explain);
        if (!commands.isEmpty()) {
            commands.stream().takeWhile(command -> !session.isOver()).forEach(shell::run);
        } else if (script != null) {
            try (Reader reader = open(script)) {
                shell.run(new BoundedLines(reader));
            }
        } else if (Terminal.isInteractive()) {
            new TerminalShell(session).run();
        } else {
            shell.greet();
            shell.run(new BoundedLines(new InputStreamReader(System.in, Charset.defaultCharset())));
        }
        return shell.hadErrors() ? 1 : 0;
    }

    private static Reader open(Path script) throws IOException {
        try {
            return Files.newBufferedReader(script, StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            throw new ToolException("there is no file " + script, e);
        }
    }

    private int serve(InetSocketAddress address) throws IOException {
        // Held open, so that the device stays where it is between two sessions.
        try (RdmaDevice held = device.open();
                ShellServer server = bind(address)) {
            Thread stop = new Thread(() -> closeAtExit(server));
            Runtime.getRuntime().addShutdownHook(stop);
            out().println("shells on " + held.name() + " at " + text(server.address()));
            out().flush();
            server.serve();
        }
        return 0;
    }

    private ShellServer bind(InetSocketAddress address) {
        try {
            return new ShellServer(address, device::open, sessions, this::log);
        } catch (IOException e) {
            throw new ToolException("cannot listen at " + text(address) + ": " + e.getMessage(), e);
        }
    }

    private synchronized void log(String line) {
        out().println(line);
        out().flush();
    }

    private static void closeAtExit(ShellServer server) {
        try {
            server.close();
        } catch (IOException e) {
            // The process ends, and with it the sockets.
        }
    }

    private static String text(InetSocketAddress address) {
        String host = address.getHostString();
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    private InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon).replaceFirst("^\\[(.*)]$", "$1");
        require(
                !host.isEmpty() && text.substring(colon + 1).matches("[0-9]{1,5}"),
                "--listen has to be HOST:PORT, such as 127.0.0.1:2222, not " + text);
        int port = Integer.parseInt(text.substring(colon + 1));
        require(port <= 65535, "--listen: ports are 0 to 65535, not " + port);
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new ToolException("--listen: no address of the name " + host + " is known");
        }
        return address;
    }
}
