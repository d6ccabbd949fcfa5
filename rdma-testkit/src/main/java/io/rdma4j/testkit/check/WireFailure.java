package io.rdma4j.testkit.check;

import io.rdma4j.testkit.fabric.TraceEntry;

/** A frame that must not have been sent. */
public final class WireFailure extends AssertionError {
    private static final long serialVersionUID = 1L;

    WireFailure(TraceEntry entry, String rule) {
        super(rule + ": " + entry);
    }
}
