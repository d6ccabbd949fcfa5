package io.rdma4j.core.memory;

/** Why a key, range or right was refused; the words go into the cause of a completion. */
public enum AccessFailure {
    INVALID_KEY("names no memory region"),
    INVALIDATED("has been invalidated"),
    NOT_REGISTERED("is of a region that is not registered now"),
    UNBOUND("is of a memory window that is bound to nothing"),
    NOT_INVALIDATABLE("is not one that a peer may invalidate"),
    HAS_WINDOWS("is of a region with memory windows bound to it"),
    OTHER_QUEUE_PAIR("is of a memory window that another queue pair bound"),
    WRONG_PROTECTION_DOMAIN("belongs to another protection domain"),
    MISSING_RIGHT("does not grant the access"),
    OUT_OF_RANGE("does not cover the range");

    private final String words;

    AccessFailure(String words) {
        this.words = words;
    }

    /** What the key did wrong, to be read after "key 0x… ". */
    public String words() {
        return words;
    }
}
