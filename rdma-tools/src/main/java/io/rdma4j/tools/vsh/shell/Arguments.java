package io.rdma4j.tools.vsh.shell;

import io.rdma4j.verbs.AccessFlag;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The words of one command line, checked against what the command takes, with their values by type. */
final class Arguments {
    private final ShellCommand command;
    private final @Nullable String subject;
    private final Map<String, String> values;

    private Arguments(ShellCommand command, @Nullable String subject, Map<String, String> values) {
        this.command = command;
        this.subject = subject;
        this.values = values;
    }

    /** Takes the words of a line apart; refuses those that the command does not know. */
    static Arguments parse(ShellCommand command, List<String> words) {
        String subject = null;
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 1; i < words.size(); i++) {
            String word = words.get(i);
            int equals = word.indexOf('=');
            if (i == 1 && equals < 0 && command.subject().use() != ShellCommand.Subject.Use.NONE) {
                subject = word;
                continue;
            }
            String name = equals < 0 ? word : word.substring(0, equals);
            if (equals < 0 || command.parameter(name).isEmpty()) {
                throw new Refusal(command.name() + ": " + word + " is not understood; it goes: " + command.synopsis());
            }
            if (values.put(name, word.substring(equals + 1)) != null) {
                throw new Refusal(command.name() + ": " + name + "= is given twice");
            }
        }
        return new Arguments(command, subject, values);
    }

    String command() {
        return command.name();
    }

    /** The word behind the command, or null. */
    @Nullable
    String subject() {
        return subject;
    }

    /** The name for what is about to be made. */
    String newName() {
        if (subject == null) {
            throw new Refusal(command.name() + ": name: what shall it be called? It goes: " + command.synopsis());
        }
        return subject;
    }

    /** The object that the command is about. */
    <T> T existing(NamedObjects<T> objects) {
        T found = objects.find(subject);
        if (found == null) {
            throw noSuch(objects.kind(), subject);
        }
        return found;
    }

    /** The object that an argument names. */
    <T> T object(String name, NamedObjects<T> objects) {
        String wanted = values.get(name);
        T found = objects.find(wanted);
        if (found == null) {
            throw noSuch(objects.kind(), wanted);
        }
        return found;
    }

    private Refusal noSuch(Kind kind, @Nullable String name) {
        return new Refusal(command.name() + ": no such " + kind.word() + (name == null ? "" : ": " + name));
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    /** The text of an argument, or what is taken without it. */
    String text(String name) {
        return values.getOrDefault(name, parameter(name).absent());
    }

    /** An unsigned number of 64 bits. */
    long number(String name) {
        String text = text(name);
        Long value = Numbers.parse(text);
        if (value == null) {
            throw new Refusal(command.name() + ": " + name + "=" + text + " is no number");
        }
        return value;
    }

    /** An unsigned number of 64 bits, {@code absent} without the argument. */
    long number(String name, long absent) {
        return has(name) ? number(name) : absent;
    }

    /** An unsigned number of 32 bits, such as a key. */
    int word(String name) {
        return (int) ranged(name, 0, 0xFFFF_FFFFL);
    }

    /** A number from {@code min} to {@code max}. */
    int integer(String name, int min, int max) {
        return (int) ranged(name, min, max);
    }

    private long ranged(String name, long min, long max) {
        long value = number(name);
        if (value < min || value > max) {
            throw new Refusal(command.name() + ": " + name + "=" + text(name) + " is not in " + min + ".." + max);
        }
        return value;
    }

    /** One of the words that the parameter has to choose from. */
    String choice(String name) {
        String text = text(name);
        List<String> known = parameter(name).values();
        if (!known.contains(text)) {
            throw new Refusal(command.name() + ": " + name + "=" + text + " is none of " + String.join(" ", known));
        }
        return text;
    }

    /** Some of the letters that the parameter has to choose from. */
    Set<Character> letters(String name) {
        String text = text(name);
        List<String> known = parameter(name).values();
        Set<Character> letters = text.chars().mapToObj(c -> (char) c).collect(Collectors.toSet());
        for (char letter : letters) {
            if (!known.contains(String.valueOf(letter))) {
                throw new Refusal(command.name() + ": " + name + "=" + text + ": " + letter + " is none of "
                        + String.join("", known));
            }
        }
        return letters;
    }

    /** Access rights by their letters. */
    Set<AccessFlag> access(String name) {
        return AccessLetters.flags(letters(name));
    }

    private Parameter parameter(String name) {
        return command.parameter(name)
                .orElseThrow(() -> new IllegalArgumentException(command.name() + " has no " + name));
    }
}
