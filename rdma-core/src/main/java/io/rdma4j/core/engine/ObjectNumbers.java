package io.rdma4j.core.engine;

import io.rdma4j.core.qp.DeviceLimit;
import io.rdma4j.core.qp.DeviceLimits;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.RdmaException;
import java.util.Locale;

/** Numbers and counts of the objects of an engine, over all its contexts. Owner thread. */
public final class ObjectNumbers {
    /** What is numbered, with how many there may be. */
    public enum Kind {
        PROTECTION_DOMAIN(DeviceLimit.MAX_PD),
        COMPLETION_QUEUE(DeviceLimit.MAX_CQ),
        COMPLETION_CHANNEL(DeviceLimit.MAX_CQ),
        QUEUE_PAIR(DeviceLimit.MAX_QP),
        SHARED_RECEIVE_QUEUE(DeviceLimit.MAX_SRQ),
        MEMORY_REGION(DeviceLimit.MAX_MR),
        MEMORY_WINDOW(DeviceLimit.MAX_MW),
        ADDRESS_HANDLE(DeviceLimit.MAX_AH);

        private final DeviceLimit limit;

        Kind(DeviceLimit limit) {
            this.limit = limit;
        }
    }

    private final DeviceLimits limits;
    private final int[] last = new int[Kind.values().length];
    private final int[] live = new int[Kind.values().length];

    ObjectNumbers(DeviceLimits limits) {
        this.limits = limits;
    }

    /** A number for a new object; ENOMEM when there are as many as there may be. */
    public int next(Kind kind) {
        requireRoom(kind);
        int i = kind.ordinal();
        live[i]++;
        return ++last[i];
    }

    /** ENOMEM when there are as many as there may be, for those who can still fail before they take a number. */
    public void requireRoom(Kind kind) {
        int limit = limits.max(kind.limit);
        if (live[kind.ordinal()] >= limit) {
            String what = kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            throw new RdmaException(
                    ErrorCode.ENOMEM,
                    "the device has no more than " + limit + " " + what + "s (" + kind.limit.text() + ")");
        }
    }

    /** An object is gone. */
    public void release(Kind kind) {
        live[kind.ordinal()]--;
    }
}
