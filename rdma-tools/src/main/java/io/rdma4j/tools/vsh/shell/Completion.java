package io.rdma4j.tools.vsh.shell;

import java.util.ArrayList;
import java.util.List;

/** What can stand at the end of a line that was begun: commands, names of objects, arguments, their values. */
public final class Completion {
    private final CommandTable table;
    private final ShellObjects objects;

    Completion(CommandTable table, ShellObjects objects) {
        this.table = table;
        this.objects = objects;
    }

    /**
     * Candidates for the last of these words.
     *
     * @param words the line so far; the last word is empty where a new one begins
     * @return whole words; those that end with {@code =} want a value
     */
    public List<String> candidates(List<String> words) {
        String last = words.get(words.size() - 1);
        return all(words, last).stream()
                .filter(candidate -> candidate.startsWith(last))
                .toList();
    }

    private List<String> all(List<String> words, String last) {
        if (words.size() == 1) {
            return table.names();
        }
        ShellCommand command = table.find(words.get(0));
        if (command == null) {
            return List.of();
        }
        int equals = last.indexOf('=');
        if (equals >= 0) {
            return values(command, last.substring(0, equals));
        }
        List<String> candidates = new ArrayList<>();
        if (words.size() == 2) {
            candidates.addAll(subjects(command));
        }
        if (words.size() > 2 || command.subject().use() != ShellCommand.Subject.Use.EXISTING) {
            candidates.addAll(parameters(command, words));
        }
        return candidates;
    }

    private List<String> subjects(ShellCommand command) {
        ShellCommand.Subject subject = command.subject();
        Kind kind = subject.kind();
        return switch (subject.use()) {
            case NONE, NEW -> List.of();
            case EXISTING, OPTIONAL ->
                kind == null ? List.of() : objects.of(kind).names();
            case COMMAND -> table.names();
        };
    }

    /** The arguments that were not given yet. */
    private static List<String> parameters(ShellCommand command, List<String> words) {
        return command.parameters().stream()
                .map(parameter -> parameter.name() + "=")
                .filter(start -> words.stream().limit(words.size() - 1L).noneMatch(word -> word.startsWith(start)))
                .toList();
    }

    private List<String> values(ShellCommand command, String name) {
        return command.parameter(name).map(this::values).orElse(List.of()).stream()
                .map(value -> name + "=" + value)
                .toList();
    }

    private List<String> values(Parameter parameter) {
        return switch (parameter.type()) {
            case CHOICE -> parameter.values();
            case OBJECT -> objects.of(parameter.kind()).names();
            case NUMBER, LETTERS, TEXT -> List.of();
        };
    }
}
