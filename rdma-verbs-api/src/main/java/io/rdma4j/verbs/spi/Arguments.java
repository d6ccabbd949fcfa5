package io.rdma4j.verbs.spi;

import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.RdmaException;
import java.util.Collection;
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

    /**
     * An array that must be there, with all that it holds.
     *
     * @param <T> the type of what it holds
     * @param values the argument
     * @param name its name, for the text
     * @return the argument
     * @throws RdmaException EINVAL if it is null, with its name, or something in it is
     */
    public static <T> T[] all(T @Nullable [] values, String name) {
        T[] array = required(values, name);
        for (int i = 0; i < array.length; i++) {
            if (array[i] == null) {
                throw new RdmaException(ErrorCode.EINVAL, name + "[" + i + "] is null");
            }
        }
        return array;
    }

    /**
     * A collection that must be there, with all that it holds.
     *
     * @param <C> its type
     * @param values the argument
     * @param name its name, for the text
     * @return the argument
     * @throws RdmaException EINVAL if it is null, with its name, or something in it is
     */
    public static <C extends Collection<?>> C all(@Nullable C values, String name) {
        C collection = required(values, name);
        for (Object value : collection) {
            if (value == null) {
                throw new RdmaException(ErrorCode.EINVAL, name + " holds null");
            }
        }
        return collection;
    }
}
