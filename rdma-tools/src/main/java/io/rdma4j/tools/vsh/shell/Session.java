package io.rdma4j.tools.vsh.shell;

import io.rdma4j.verbs.RdmaDevice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A verbs shell on one device: a line in, an answer out. Objects get names, and live until they are destroyed or the
 * session is closed.
 *
 * <p>Not thread-safe.
 */
public final class Session implements AutoCloseable {
    /** A line that begins so asks for a greeting: whoever reaches a guest of a laboratory by TCP starts its shell so. */
    private static final String START = "exec vsh";

    private final ShellObjects objects;
    private final CommandTable table = new CommandTable();
    private final RdmaDevice device;
    private boolean over;

    /**
     * Begins a session.
     *
     * @param device stays open when the session is closed
     * @param waiter how time passes
     */
    public Session(RdmaDevice device, Waiter waiter) {
        this.device = device;
        objects = new ShellObjects(device);
        table.add(new DeviceCommands(device, waiter).commands());
        table.add(new MemoryCommands(objects).commands());
        table.add(new QueueCommands(objects, waiter).commands());
        table.add(new QueuePairCommands(objects).commands());
        table.add(new PostCommands(objects).commands());
        table.add(new WindowCommands(objects).commands());
        table.add(new HelpCommands(table, objects, () -> over = true).commands());
    }

    /** What a session says first. */
    public Answer greeting() {
        return Answer.ok("dev=" + device.name());
    }

    /** Whether {@code quit} was said. */
    public boolean isOver() {
        return over;
    }

    /** Does what a line says; null for a line that says nothing: an empty one, or a comment. */
    public @Nullable Answer run(String line) {
        List<String> words = words(line);
        if (words.isEmpty() || words.get(0).startsWith("#")) {
            return null;
        }
        if (line.startsWith(START)) {
            return greeting();
        }
        if (line.length() > ShellLimits.MAX_LINE) {
            return Answer.error("line: longer than " + ShellLimits.MAX_LINE + " characters");
        }
        try {
            ShellCommand command = table.find(words.get(0));
            if (command == null) {
                throw new Refusal("unknown command " + words.get(0));
            }
            return command.action().apply(Arguments.parse(command, words));
        } catch (Refusal e) {
            return e.answer();
        }
    }

    /** What can stand at the end of a line that was begun. */
    public Completion completion() {
        return new Completion(table, objects);
    }

    static List<String> words(String line) {
        return line.isBlank() ? List.of() : List.of(line.strip().split("\\s+"));
    }

    /** Destroys all objects. */
    @Override
    public void close() {
        objects.close();
    }
}
