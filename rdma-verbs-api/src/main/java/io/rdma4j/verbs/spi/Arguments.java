package io.rdma4j.verbs.spi;

import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.RdmaException;
import org.jspecify.annotations.Nullable;

/** Refuses what the compiler of a careless program lets through. */
public final class Arguments {
    private Arguments() {}

    /**
     * An argument that must be there.
     *
     * @param <T> its type
     * @param value the argument
     * @param name its name, for the text
     * @return the argument
     * @throws RdmaException EINVAL if it is null, with its name
     */
    public static <T> T required(@Nullable T value, String name) {
        if (value == null) {
            throw new RdmaException(ErrorCode.EINVAL, name + " is null");
        }
        return value;
    }
}
