package io.rdma4j.tools.vsh.shell;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All commands by name, in the order in which help shows them. */
final class CommandTable {
    private final Map<String, ShellCommand> byName = new LinkedHashMap<>();

    void add(Collection<ShellCommand> commands) {
        commands.forEach(command -> byName.put(command.name(), command));
    }

    @Nullable
    ShellCommand find(String name) {
        return byName.get(name);
    }

    List<ShellCommand> all() {
        return List.copyOf(byName.values());
    }

    List<String> names() {
        return List.copyOf(byName.keySet());
    }
}
