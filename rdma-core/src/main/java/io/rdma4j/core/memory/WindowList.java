package io.rdma4j.core.memory;

import org.jspecify.annotations.Nullable;

/**
 * Bound windows, newest first: those of a region, or those of a queue pair. Linked through the windows themselves, so that
 * binding allocates nothing. Owner thread.
 */
public final class WindowList {
    /** The place of a window in one list. */
    static final class Link {
        final RegisteredMemory window;
        private @Nullable Link previous;
        private @Nullable Link next;
        private @Nullable WindowList list;

        Link(RegisteredMemory window) {
            this.window = window;
        }

        /** Leaves the list it is in, if any. */
        void leave() {
            WindowList in = list;
            if (in == null) {
                return;
            }
            if (previous == null) {
                in.first = next;
            } else {
                previous.next = next;
            }
            if (next != null) {
                next.previous = previous;
            }
            previous = null;
            next = null;
            list = null;
        }
    }

    private @Nullable Link first;

    public boolean isEmpty() {
        return first == null;
    }

    /** The newest window, null when there is none. */
    public @Nullable RegisteredMemory first() {
        return first == null ? null : first.window;
    }

    void add(Link link) {
        link.leave();
        link.list = this;
        link.next = first;
        if (first != null) {
            first.previous = link;
        }
        first = link;
    }

    /** The windows by their numbers, for an error text; the first few. */
    public String describe(int most) {
        StringBuilder text = new StringBuilder();
        int count = 0;
        for (Link at = first; at != null; at = at.next) {
            if (count++ < most) {
                text.append(count == 1 ? "" : ", ").append(at.window);
            }
        }
        return count > most ? text + " and " + (count - most) + " more" : text.toString();
    }
}
