package io.rdma4j.tools.vsh.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What helps to use the others. */
final class HelpCommands {
    private final CommandTable table;
    private final ShellObjects objects;
    private final Runnable quit;

    HelpCommands(CommandTable table, ShellObjects objects, Runnable quit) {
        this.table = table;
        this.objects = objects;
        this.quit = quit;
    }

    List<ShellCommand> commands() {
        return List.of(
                ShellCommand.of("list", "show the names of all objects").does(arguments -> list()),
                ShellCommand.of("help", "show all commands, or how one goes")
                        .mayBeAboutACommand()
                        .does(this::help),
                ShellCommand.of("quit", "destroy all objects and leave").does(arguments -> {
                    quit.run();
                    return Answer.ok("bye");
                }));
    }

    private Answer list() {
        StringBuilder text = new StringBuilder();
        for (Kind kind : Kind.values()) {
            List<String> names = objects.of(kind).names();
            if (!names.isEmpty()) {
                text.append(text.isEmpty() ? "" : " ")
                        .append(kind.word())
                        .append('=')
                        .append(String.join(",", names));
            }
        }
        return Answer.ok(text.isEmpty() ? "none" : text.toString());
    }

    private Answer help(Arguments arguments) {
        String name = arguments.subject();
        return name == null ? overview() : explain(name);
    }

    private Answer overview() {
        List<String> lines = new ArrayList<>();
        for (ShellCommand command : table.all()) {
            lines.add(row(command.name(), 11, command.purpose()));
        }
        lines.add("");
        lines.add("A line is a command, often a name of your choice for an object, then arguments");
        lines.add("of the form key=value in any order. Numbers are decimal or 0x hexadecimal.");
        return Answer.ok(String.join(" ", table.names())).explained(lines);
    }

    private Answer explain(String name) {
        ShellCommand command = table.find(name);
        if (command == null) {
            throw new Refusal("help: unknown command " + name);
        }
        List<String> lines = new ArrayList<>();
        lines.add(capitalized(command.purpose()) + ".");
        Kind kind = command.subject().kind();
        if (kind != null) {
            lines.add(row(
                    kind.word().toUpperCase(Locale.ROOT),
                    9,
                    subject(command.subject().use(), kind)));
        }
        for (Parameter parameter :
                command.parameters().stream().filter(Parameter::isShown).toList()) {
            String absent = parameter.absent().isEmpty() ? "" : " (" + parameter.absent() + ")";
            lines.add(row(parameter.name() + "=", 9, parameter.help() + absent + choices(parameter)));
        }
        return Answer.ok(command.synopsis()).explained(lines);
    }

    private static String subject(ShellCommand.Subject.Use use, Kind kind) {
        return use == ShellCommand.Subject.Use.NEW ? "the name you give it" : "the name of " + kind.description();
    }

    private static String choices(Parameter parameter) {
        return parameter.type() == Parameter.Type.CHOICE ? ": " + String.join(" ", parameter.values()) : "";
    }

    private static String row(String name, int width, String text) {
        return "  " + name + " ".repeat(Math.max(1, width - name.length())) + text;
    }

    private static String capitalized(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }
}
