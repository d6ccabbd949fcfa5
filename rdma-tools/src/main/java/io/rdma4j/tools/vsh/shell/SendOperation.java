package io.rdma4j.tools.vsh.shell;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What {@code send} can post. */
enum SendOperation {
    SEND,
    SEND_IMM,
    SEND_INV,
    WRITE,
    WRITE_IMM,
    READ,
    CAS,
    FADD,
    BIND,
    LINV;

    static final List<String> WORDS =
            Arrays.stream(values()).map(SendOperation::word).toList();

    static SendOperation of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether as a datagram it needs to be told where to. */
    boolean isMessage() {
        return this == SEND || this == SEND_IMM || this == SEND_INV;
    }
}
