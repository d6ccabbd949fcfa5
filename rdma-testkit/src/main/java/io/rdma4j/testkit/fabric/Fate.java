package io.rdma4j.testkit.fabric;

/** What became of a frame besides a plain delivery; a frame may have several. */
public enum Fate {
    /** Lost by chance. */
    LOST,
    /** Dropped by a rule. */
    DROPPED,
    /** No device has the address it was sent to. */
    NO_HOST,
    /** Delivered twice. */
    DUPLICATED,
    /** Held back, so that later frames overtook it. */
    OVERTAKEN,
    /** Held back by a rule. */
    DELAYED,
    /** Delivered with changed bytes. */
    CORRUPTED
}
