package io.rdma4j.tools.vsh.shell;

/** What bounds a session; docs/tools.md has the same numbers. */
public final class ShellLimits {
    /** Characters of a command line; a longer one is refused whole. */
    public static final int MAX_LINE = 1 << 17;

    /** Objects of each kind that a session may have at a time. */
    static final int MAX_OBJECTS = 128;

    /** Bytes of a memory region. */
    static final int MAX_REGION_BYTES = 1 << 30;

    /** Bytes that one {@code hex} prints. */
    static final int MAX_HEX_BYTES = 1 << 16;

    /** Requests that one {@code send} posts. */
    static final int MAX_SENDS = 64;

    /** Receives that one {@code recv} posts. */
    static final int MAX_RECEIVES = 1 << 14;

    /** Scatter/gather elements of a request. */
    static final int MAX_ELEMENTS = 8;

    /** Completions that one {@code poll} shows. */
    static final int MAX_COMPLETIONS = 1 << 10;

    /** Milliseconds that one command waits: an hour. */
    static final int MAX_WAIT_MILLIS = 3_600_000;

    private ShellLimits() {}
}
