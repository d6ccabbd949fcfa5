package io.rdma4j.testkit.sweep;

import io.rdma4j.testkit.sweep.Operation.Notice;
import io.rdma4j.verbs.WorkCompletionOpcode;
import java.util.List;

/**
 * A completion that must come.
 *
 * @param index place of its work request in its queue
 * @param opcode what it reports
 * @param byteLength how many bytes it reports, or {@link #ANY_LENGTH}
 * @param notice what it shows of the message that it received
 * @param arrived the pieces of own memory whose final content is there when it comes
 */
record Expectation(int index, WorkCompletionOpcode opcode, long byteLength, Notice notice, List<Area> arrived) {
    static final long ANY_LENGTH = -1;

    /** A completion that shows nothing of a notice: one of a send queue, or of a plain message. */
    Expectation(int index, WorkCompletionOpcode opcode, long byteLength, List<Area> arrived) {
        this(index, opcode, byteLength, Notice.NONE, arrived);
    }
}
