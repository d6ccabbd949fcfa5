package io.rdma4j.tools.vsh.shell;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A row of the command table: what a command is called, what it takes, and what it does.
 *
 * @param name its first word
 * @param purpose what it does, in half a sentence
 * @param subject what its second word is
 * @param parameters the arguments it understands
 * @param action what it does
 */
record ShellCommand(
        String name, String purpose, Subject subject, List<Parameter> parameters, Function<Arguments, Answer> action) {

    /** What the word behind the command is. */
    record Subject(Use use, @Nullable Kind kind) {
        enum Use {
            /** There is none. */
            NONE,
            /** A name that is free; the command gives it to what it makes. */
            NEW,
            /** The name of what the command is about. */
            EXISTING,
            /** The name of what the command is about, or nothing for the usual one. */
            OPTIONAL,
            /** The name of a command, or nothing. */
            COMMAND
        }

        String synopsis() {
            return switch (use) {
                case NONE -> "";
                case NEW, EXISTING -> " " + word();
                case OPTIONAL -> " [" + word() + "]";
                case COMMAND -> " [COMMAND]";
            };
        }

        private String word() {
            return kind == null ? "" : kind.word().toUpperCase(Locale.ROOT);
        }
    }

    static ShellCommand of(String name, String purpose) {
        return new ShellCommand(
                name, purpose, new Subject(Subject.Use.NONE, null), List.of(), arguments -> Answer.ok());
    }

    ShellCommand creates(Kind kind) {
        return subject(new Subject(Subject.Use.NEW, kind));
    }

    ShellCommand about(Kind kind) {
        return subject(new Subject(Subject.Use.EXISTING, kind));
    }

    ShellCommand mayBeAbout(Kind kind) {
        return subject(new Subject(Subject.Use.OPTIONAL, kind));
    }

    ShellCommand mayBeAboutACommand() {
        return subject(new Subject(Subject.Use.COMMAND, null));
    }

    private ShellCommand subject(Subject what) {
        return new ShellCommand(name, purpose, what, parameters, action);
    }

    ShellCommand takes(Parameter... more) {
        return takes(List.of(more));
    }

    ShellCommand takes(List<Parameter> more) {
        return new ShellCommand(name, purpose, subject, List.copyOf(more), action);
    }

    ShellCommand does(Function<Arguments, Answer> what) {
        return new ShellCommand(name, purpose, subject, parameters, what);
    }

    Optional<Parameter> parameter(String wanted) {
        return parameters.stream().filter(known -> known.name().equals(wanted)).findFirst();
    }

    /** How it is written: {@code cq CQ [n=]}. */
    String synopsis() {
        StringBuilder text = new StringBuilder(name).append(subject.synopsis());
        parameters.stream()
                .filter(Parameter::isShown)
                .forEach(parameter ->
                        text.append(" [").append(parameter.synopsis()).append(']'));
        return text.toString();
    }
}
