package io.rdma4j.tools.verbs;

import io.rdma4j.tools.cli.ToolException;
import io.rdma4j.tools.text.Units;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;

/** Memory to register. On a small machine Java grants little of it, which a user can change when told how. */
public final class DirectMemory {
    private DirectMemory() {}

    /** A buffer of so many bytes; refused in words when there is not enough. */
    public static ByteBuffer allocate(int bytes) {
        return allocate(bytes, ByteBuffer::allocateDirect);
    }

    static ByteBuffer allocate(int bytes, IntFunction<ByteBuffer> allocator) {
        try {
            return allocator.apply(bytes);
        } catch (OutOfMemoryError e) {
            // JAVA_TOOL_OPTIONS rather than an option of bin/rdma4j: the demo's second JVM heeds it as well.
            throw new ToolException(
                    "no " + Units.bytes(bytes) + " of memory outside of the heap: " + e.getMessage()
                            + "; JAVA_TOOL_OPTIONS=-XX:MaxDirectMemorySize=SIZE raises what Java grants",
                    e);
        }
    }
}
