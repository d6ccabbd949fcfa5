package io.rdma4j.testkit.fabric;

/** The fabric did not come to rest, or went round in circles without time passing; the message ends with the trace. */
public final class FabricStalledException extends IllegalStateException {
    private static final long serialVersionUID = 1L;
    private static final int TRACE_LINES = 40;

    FabricStalledException(String what, Fabric fabric) {
        super(what + "\n" + fabric.describe() + "the last frames were:\n"
                + fabric.trace().tail(TRACE_LINES));
    }
}
