package io.rdma4j.core.link;

import java.util.Locale;

/** What a {@link FaultyLink} does to a received frame, other than to delay it. */
public enum Fault {
    /** It does not arrive. */
    LOST,
    /** It arrives a second time, later. */
    DUPLICATED,
    /** It arrives after frames that came after it. */
    REORDERED,
    /** It arrives damaged, so that its ICRC is wrong. */
    CORRUPTED,
    /** It was to be kept for later and there was no room, so it does not arrive. */
    NO_ROOM;

    /** The name in reports, lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
