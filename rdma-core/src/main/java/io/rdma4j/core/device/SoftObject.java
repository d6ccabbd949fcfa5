package io.rdma4j.core.device;

import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.RdmaException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * An object of the verbs API: has a name for error texts, a parent's children, and closes once. Children are kept by the
 * owner thread, so creating and closing need no lock.
 */
abstract class SoftObject implements AutoCloseable {
    private static final int NAMED_CHILDREN = 8;

    final SoftDevice device;
    private final String label;
    private final Set<SoftObject> children = new LinkedHashSet<>();
    private volatile boolean closed;

    SoftObject(SoftDevice device, String label) {
        this.device = device;
        this.label = label;
    }

    final boolean isClosed() {
        return closed;
    }

    /** EBADF on the use of an object that is closed. */
    final void requireOpen() {
        refuseIfClosed(ErrorCode.EBADF);
    }

    /** EINVAL for an argument that is closed. */
    final void requireOpenArgument() {
        refuseIfClosed(ErrorCode.EINVAL);
    }

    private void refuseIfClosed(ErrorCode code) {
        if (closed) {
            throw new RdmaException(code, label + " is closed");
        }
    }

    /** Refuses objects of another device or another provider, and closed ones. */
    final <T extends SoftObject> T own(Object object, Class<T> type) {
        if (object == null) {
            throw new RdmaException(
                    ErrorCode.EINVAL, "the " + type.getSimpleName().substring("Soft".length()) + " is null");
        }
        if (!type.isInstance(object)) {
            throw new RdmaException(ErrorCode.EINVAL, object + " is not an object of " + device.name());
        }
        T mine = type.cast(object);
        if (mine.device != device) {
            throw new RdmaException(ErrorCode.EINVAL, mine + " belongs to another device context than " + this);
        }
        mine.requireOpenArgument();
        return mine;
    }

    /** Owner thread. */
    final void adopt(SoftObject child) {
        children.add(child);
    }

    /** Owner thread. */
    final void orphan(SoftObject child) {
        children.remove(child);
    }

    /** Owner thread. */
    final List<SoftObject> children() {
        return new ArrayList<>(children);
    }

    @Override
    public final void close() {
        if (closed) {
            return;
        }
        device.command(() -> {
            if (!closed) {
                refuseIfBusy();
                closeNow();
            }
            return this;
        });
    }

    /** Closes without asking whether anything still uses it. Owner thread. */
    final void closeNow() {
        if (!closed) {
            closed = true;
            release();
        }
    }

    /** EBUSY naming what still uses this object. Owner thread. */
    void refuseIfBusy() {
        if (!children.isEmpty()) {
            throw new RdmaException(ErrorCode.EBUSY, label + " is in use by " + named(children));
        }
    }

    /** The first few of these, and how many more there are: whoever has thousands left open needs no list of them. */
    static String named(Collection<?> objects) {
        List<String> names = new ArrayList<>();
        for (Object object : objects) {
            if (names.size() == NAMED_CHILDREN) {
                names.add("and " + (objects.size() - NAMED_CHILDREN) + " more");
                break;
            }
            names.add(object.toString());
        }
        return String.join(", ", names);
    }

    /** Lets go of what the object holds. Owner thread; runs once. */
    abstract void release();

    @Override
    public String toString() {
        return label;
    }
}
