package io.rdma4j.testkit.fabric;

/** What became of a frame besides a plain delivery; a frame may have several. */
public enum Fate {
    /** Lost by chance. */
    LOST(true),
    /** Dropped by a rule. */
    DROPPED(true),
    /** No device has the address it was sent to. */
    NO_HOST(true),
    /** Delivered twice. */
    DUPLICATED(false),
    /** Held back, so that later frames overtook it. */
    OVERTAKEN(false),
    /** Held back by a rule for a time. */
    DELAYED(false),
    /** Delivered with changed bytes. */
    CORRUPTED(false),
    /** Delivered with another header field, and the ICRC that belongs to it. */
    REWRITTEN(false),
    /** Held back by a rule until other frames had passed it. */
    REORDERED(false),
    /** The queue before a slow direction was full. */
    QUEUE_FULL(true),
    /** The link of the sender or of the receiver was down. */
    LINK_DOWN(true),
    /** A rule answered it with a forged NAK. */
    NAKED(false),
    /** Not sent by its device at all: a NAK that a rule forged. */
    FORGED(false);

    private final boolean end;

    Fate(boolean end) {
        this.end = end;
    }

    /** Whether no copy of the frame is put on its way to a device. */
    boolean isEnd() {
        return end;
    }
}
