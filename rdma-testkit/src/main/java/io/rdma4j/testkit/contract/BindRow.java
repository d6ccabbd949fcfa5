package io.rdma4j.testkit.contract;

import static io.rdma4j.verbs.AccessFlag.LOCAL_WRITE;
import static io.rdma4j.verbs.AccessFlag.MEMORY_WINDOW_BIND;
import static io.rdma4j.verbs.AccessFlag.REMOTE_ATOMIC;
import static io.rdma4j.verbs.AccessFlag.REMOTE_READ;
import static io.rdma4j.verbs.AccessFlag.REMOTE_WRITE;

import io.rdma4j.verbs.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A row of the table that says which rights a window may have on which region. */
record BindRow(Opening kind, Set<AccessFlag> ofRegion, Set<AccessFlag> ofWindow, boolean isLegal) {
    /** The table, for both types. */
    static List<BindRow> all() {
        List<BindRow> rows = new ArrayList<>();
        for (Opening kind : Opening.WINDOWS) {
            Set<AccessFlag> open = Set.of(LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC);
            Set<AccessFlag> everything =
                    Set.of(LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC, MEMORY_WINDOW_BIND);
            Set<AccessFlag> bind = Set.of(MEMORY_WINDOW_BIND);
            Set<AccessFlag> written = Set.of(LOCAL_WRITE, MEMORY_WINDOW_BIND);
            rows.add(new BindRow(kind, everything, Opening.ALL, true));
            rows.add(new BindRow(kind, bind, Set.of(), true));
            rows.add(new BindRow(kind, open, Set.of(), false));
            rows.add(new BindRow(kind, bind, Set.of(REMOTE_READ), true));
            rows.add(new BindRow(kind, written, Set.of(REMOTE_WRITE), true));
            rows.add(new BindRow(kind, bind, Set.of(REMOTE_WRITE), false));
            rows.add(new BindRow(kind, written, Set.of(REMOTE_ATOMIC), true));
            rows.add(new BindRow(kind, bind, Set.of(REMOTE_ATOMIC), false));
        }
        return rows;
    }

    /** The same in every run: the order of a set is not. */
    @Override
    public String toString() {
        return kind + ", region " + new TreeSet<>(ofRegion) + ", window " + new TreeSet<>(ofWindow);
    }
}
