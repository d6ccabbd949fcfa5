package io.rdma4j.verbs;

import io.rdma4j.verbs.spi.Arguments;
import org.jspecify.annotations.Nullable;

/**
 * Binds a memory window of type 2 ({@code IBV_WR_BIND_MW}). The bind takes effect in the order of the send queue: a later
 * SEND may tell the new key to the peer. Immutable.
 */
public final class BindMemoryWindow extends RequestBody implements SendRequest {
    private final MemoryWindow window;
    private final MemoryWindowBinding binding;
    private final int remoteKey;

    private BindMemoryWindow(
            long workRequestId, int flags, MemoryWindow window, MemoryWindowBinding binding, int remoteKey) {
        super(workRequestId, LocalData.of(), flags);
        this.window = window;
        this.binding = binding;
        this.remoteKey = remoteKey;
    }

    /**
     * A bind.
     *
     * @param workRequestId comes back in the completion
     * @param window what to bind
     * @param binding what to bind it to
     * @param remoteKey the key it shall have: the low 8 bits are free to choose, the others are the window's
     *     ({@link RemoteKeys#increment} of the window's makes a good one)
     * @return the request
     */
    public static BindMemoryWindow of(
            long workRequestId, MemoryWindow window, MemoryWindowBinding binding, int remoteKey) {
        Arguments.required(window, "window");
        Arguments.required(binding, "binding");
        return new BindMemoryWindow(workRequestId, 0, window, binding, remoteKey);
    }

    /** {@return the same with a completion on success} */
    public BindMemoryWindow signaled() {
        return new BindMemoryWindow(workRequestId, flags | SIGNALED, window, binding, remoteKey);
    }

    /** {@return the same, waiting for all earlier READs and atomics} */
    public BindMemoryWindow fenced() {
        return new BindMemoryWindow(workRequestId, flags | FENCED, window, binding, remoteKey);
    }

    /** {@return what is bound ({@code bind_mw.mw})} */
    public MemoryWindow window() {
        return window;
    }

    /** {@return what it is bound to ({@code bind_mw.bind_info})} */
    public MemoryWindowBinding binding() {
        return binding;
    }

    /** {@return the key it shall have ({@code bind_mw.rkey})} */
    @Override
    public int remoteKey() {
        return remoteKey;
    }

    @Override
    public WorkRequestOpcode opcode() {
        return WorkRequestOpcode.BIND_MW;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return super.equals(other)
                && other instanceof BindMemoryWindow that
                && window.equals(that.window)
                && binding.equals(that.binding)
                && remoteKey == that.remoteKey;
    }

    @Override
    public int hashCode() {
        return (super.hashCode() * 31 + window.hashCode()) * 31 + remoteKey;
    }

    @Override
    public String toString() {
        return text(opcode(), " " + window + " rkey 0x" + Integer.toHexString(remoteKey) + " to " + binding);
    }
}
