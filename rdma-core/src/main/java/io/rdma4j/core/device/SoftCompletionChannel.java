package io.rdma4j.core.device;

import io.rdma4j.core.engine.ObjectNumbers;
import io.rdma4j.core.qp.DeviceLimit;
import io.rdma4j.verbs.CompletionChannel;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.RdmaException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Events of several completion queues, in order (§10). A queue stands in line once, with the count of its undelivered
 * events, so what a consumer piles up that arms and never waits is bounded, and yet no event is lost.
 */
final class SoftCompletionChannel extends SoftObject implements CompletionChannel {
    /** One completion queue's account with its channel; the channel's lock guards it. */
    static final class Account {
        private final SoftCompletionQueue queue;
        private long undelivered;
        private long unacknowledged;

        Account(SoftCompletionQueue queue) {
            this.queue = queue;
        }
    }

    private static final class Line extends EventQueue<Account> {
        Line(SoftDevice device, String closedText) {
            super(device.driver(), device.limits().max(DeviceLimit.MAX_CQ), closedText);
        }

        @Override
        boolean admit(Account account) {
            return account.undelivered++ == 0;
        }

        @Override
        boolean taken(Account account) {
            account.unacknowledged++;
            return --account.undelivered > 0;
        }

        void acknowledge(Account account, int count) {
            lock.lock();
            try {
                if (count < 0 || count > account.unacknowledged) {
                    throw refusedCount(account.queue, count, account.unacknowledged);
                }
                account.unacknowledged -= count;
            } finally {
                lock.unlock();
            }
        }

        /** In one step, so that no event is taken between the look at the account and the end of it. */
        void settle(Account account) {
            lock.lock();
            try {
                if (account.unacknowledged > 0) {
                    throw new RdmaException(
                            ErrorCode.EBUSY,
                            account.queue + " has " + account.unacknowledged + " unacknowledged events");
                }
                forget(account);
            } finally {
                lock.unlock();
            }
        }

        void forget(Account account) {
            removeIf(waiting -> waiting == account);
        }
    }

    private final Line line;

    SoftCompletionChannel(SoftDevice device, int number) {
        super(device, "completion channel " + number);
        this.line = new Line(device, this + " is closed");
    }

    /** Owner thread. */
    void signal(Account account) {
        line.offer(account);
    }

    void acknowledge(Account account, int count) {
        line.acknowledge(account, count);
    }

    /** The refusal of an acknowledgement that is more than what is open (§10). */
    static RdmaException refusedCount(SoftCompletionQueue queue, int count, long unacknowledged) {
        return new RdmaException(
                ErrorCode.EINVAL,
                "ibv_ack_cq_events: " + count + " of " + unacknowledged + " unacknowledged events of " + queue);
    }

    /** Drops the undelivered events of a queue that is about to go; EBUSY while one is not acknowledged. Owner thread. */
    void settle(Account account) {
        line.settle(account);
    }

    /** Drops the undelivered events of a queue that goes away whatever is open. Owner thread. */
    void forget(Account account) {
        line.forget(account);
        orphan(account.queue);
    }

    /** Completion queues with undelivered events. */
    int queuesInLine() {
        return line.size();
    }

    @Override
    public @Nullable CompletionQueue await(Duration timeout) {
        Account account = line.await(timeout);
        return account == null ? null : account.queue;
    }

    @Override
    void release() {
        line.close();
        device.numbers().release(ObjectNumbers.Kind.COMPLETION_CHANNEL);
        device.orphan(this);
    }
}
