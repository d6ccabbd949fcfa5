package io.rdma4j.core.tape;

import io.rdma4j.core.device.DeviceDriver;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.RdmaException;
import java.util.function.Supplier;

/** Runs commands where they are called: the test's thread is the owner of the engine. */
public final class InlineDriver implements DeviceDriver {
    private boolean closed;

    @Override
    public <T> T call(Supplier<T> command) {
        if (closed) {
            throw new RdmaException(ErrorCode.ENODEV, "stopped");
        }
        return command.get();
    }

    /** False, so that a test may wait on its own thread; nothing else drives the engine meanwhile. */
    @Override
    public boolean isOwnerThread() {
        return false;
    }

    @Override
    public void close() {
        closed = true;
    }
}
