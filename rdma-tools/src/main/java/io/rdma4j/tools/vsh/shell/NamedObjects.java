package io.rdma4j.tools.vsh.shell;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The objects of one kind, by the names that the user gave them, oldest first. */
final class NamedObjects<T> {
    private final Kind kind;
    private final Map<String, T> byName = new LinkedHashMap<>();

    NamedObjects(Kind kind) {
        this.kind = kind;
    }

    Kind kind() {
        return kind;
    }

    @Nullable
    T find(@Nullable String name) {
        return name == null ? null : byName.get(name);
    }

    /** Makes an object and gives it a name, or refuses before anything is made. */
    T create(String command, String name, Supplier<? extends T> maker) {
        if (byName.containsKey(name)) {
            throw new Refusal(command + ": name: there is " + kind.description() + " " + name + " already");
        }
        if (byName.size() == ShellLimits.MAX_OBJECTS) {
            throw new Refusal(command + ": name: a session has at most " + ShellLimits.MAX_OBJECTS + " of each kind");
        }
        T made = maker.get();
        byName.put(name, made);
        return made;
    }

    void remove(String name) {
        byName.remove(name);
    }

    List<String> names() {
        return List.copyOf(byName.keySet());
    }

    /** All objects, newest first, and none after that: for closing them. */
    List<T> drain() {
        List<T> all = new ArrayList<>(byName.values());
        Collections.reverse(all);
        byName.clear();
        return all;
    }
}
