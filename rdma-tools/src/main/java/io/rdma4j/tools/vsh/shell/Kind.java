package io.rdma4j.tools.vsh.shell;

/** The kinds of objects that a session gives names to. */
enum Kind {
    REGION("mr", "a memory region"),
    COMPLETION_QUEUE("cq", "a completion queue"),
    SHARED_RECEIVE_QUEUE("srq", "a shared receive queue"),
    QUEUE_PAIR("qp", "a queue pair"),
    ADDRESS_HANDLE("ah", "an address handle"),
    WINDOW("mw", "a memory window");

    private final String word;
    private final String description;

    Kind(String word, String description) {
        this.word = word;
        this.description = description;
    }

    /** What commands call it. */
    String word() {
        return word;
    }

    String description() {
        return description;
    }
}
