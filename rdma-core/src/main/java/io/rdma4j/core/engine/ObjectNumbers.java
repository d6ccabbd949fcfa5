package io.rdma4j.core.engine;

import io.rdma4j.core.qp.EngineLimits;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.RdmaException;
import java.util.Locale;

/** Numbers and counts of the objects of an engine, over all its contexts. Owner thread. */
public final class ObjectNumbers {
    /** What is numbered, with how many there may be. */
    public enum Kind {
        PROTECTION_DOMAIN(EngineLimits.MAX_PROTECTION_DOMAINS),
        COMPLETION_QUEUE(EngineLimits.MAX_COMPLETION_QUEUES),
        COMPLETION_CHANNEL(EngineLimits.MAX_COMPLETION_QUEUES),
        ADDRESS_HANDLE(EngineLimits.MAX_ADDRESS_HANDLES);

        private final int limit;

        Kind(int limit) {
            this.limit = limit;
        }
    }

    private final int[] last = new int[Kind.values().length];
    private final int[] live = new int[Kind.values().length];

    ObjectNumbers() {}

    /** A number for a new object; ENOMEM when there are as many as there may be. */
    public int next(Kind kind) {
        int i = kind.ordinal();
        if (live[i] == kind.limit) {
            String what = kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            throw new RdmaException(ErrorCode.ENOMEM, "the device has no more than " + kind.limit + " " + what + "s");
        }
        live[i]++;
        return ++last[i];
    }

    /** An object is gone. */
    public void release(Kind kind) {
        live[kind.ordinal()]--;
    }
}
