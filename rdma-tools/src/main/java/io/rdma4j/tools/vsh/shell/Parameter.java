package io.rdma4j.tools.vsh.shell;

import java.util.List;

/**
 * An argument of the form {@code name=value} that a command understands.
 *
 * @param name what stands before the equals sign
 * @param type what may stand behind it
 * @param values the words or letters to choose from, if the type has such
 * @param absent what is taken when it is not given; empty if then nothing is
 * @param help what it is for; empty for one that goes without saying: help does not show it
 */
record Parameter(String name, Type type, List<String> values, String absent, String help) {
    /** What a value is. */
    enum Type {
        /** An unsigned number of up to 64 bits. */
        NUMBER,
        /** One word of several. */
        CHOICE,
        /** Some letters of several. */
        LETTERS,
        /** The name of an object. */
        OBJECT,
        /** Anything. */
        TEXT
    }

    static Parameter number(String name, String absent, String help) {
        return new Parameter(name, Type.NUMBER, List.of(), absent, help);
    }

    static Parameter choice(String name, List<String> values, String absent, String help) {
        return new Parameter(name, Type.CHOICE, values, absent, help);
    }

    static Parameter letters(String name, List<String> letters, String absent, String help) {
        return new Parameter(name, Type.LETTERS, letters, absent, help);
    }

    static Parameter object(Kind kind, String name, String absent, String help) {
        return new Parameter(name, Type.OBJECT, List.of(kind.name()), absent, help);
    }

    static Parameter text(String name, String absent, String help) {
        return new Parameter(name, Type.TEXT, List.of(), absent, help);
    }

    /** The kind of object it names; of a parameter of type OBJECT only. */
    Kind kind() {
        return Kind.valueOf(values.get(0));
    }

    /** Whether help shows it. */
    boolean isShown() {
        return !help.isEmpty();
    }

    /** For the synopsis: {@code op=send|send_imm}. */
    String synopsis() {
        return name + "=" + (type == Type.CHOICE ? String.join("|", values) : "");
    }
}
