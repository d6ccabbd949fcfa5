package io.rdma4j.core.device;

import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.spi.Arguments;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Events from the owner thread to whoever waits for them; bounded, and closing wakes every waiter. Who keeps an account of
 * events hooks it in at {@link #admit} and {@link #taken}, where the queue's lock is held.
 */
class EventQueue<E> {
    final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<E> events = new ArrayDeque<>();
    private final DeviceDriver driver;
    private final int limit;
    private final String closedText;
    private boolean closed;

    EventQueue(DeviceDriver driver, int limit, String closedText) {
        this.driver = driver;
        this.limit = limit;
        this.closedText = closedText;
    }

    /** False when the queue is full or closed, and the event is lost. */
    final boolean offer(E event) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            if (admit(event)) {
                if (events.size() == limit) {
                    return false;
                }
                events.add(event);
            }
            changed.signal();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** The next event, or null when none came in time; a zero timeout polls. */
    @Nullable
    final E await(Duration timeout) {
        Arguments.required(timeout, "timeout");
        if (!timeout.isZero() && driver.isOwnerThread()) {
            throw new RdmaException(ErrorCode.EDEADLK, "a device's own thread must not wait for its events");
        }
        lock.lock();
        try {
            long left = saturatedNanos(timeout);
            while (!closed && events.isEmpty() && left > 0) {
                left = changed.awaitNanos(left);
            }
            if (closed) {
                throw new RdmaException(ErrorCode.EBADF, closedText);
            }
            E event = events.poll();
            if (event != null && taken(event)) {
                events.add(event);
            }
            return event;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RdmaException(ErrorCode.EINTR, "interrupted while waiting for an event");
        } finally {
            lock.unlock();
        }
    }

    /** The timeout in nanoseconds; what is too long for them is for ever. */
    static long saturatedNanos(Duration timeout) {
        try {
            return timeout.toNanos();
        } catch (ArithmeticException e) {
            return timeout.isNegative() ? 0 : Long.MAX_VALUE;
        }
    }

    /** Whether an event that comes in takes a place in the queue. Lock held. */
    boolean admit(E event) {
        return true;
    }

    /** Takes note that an event is given to a waiter; whether it is to come again, behind the others. Lock held. */
    boolean taken(E event) {
        return false;
    }

    /** Drops the undelivered events of what goes away. */
    final void removeIf(Predicate<E> gone) {
        lock.lock();
        try {
            events.removeIf(gone);
        } finally {
            lock.unlock();
        }
    }

    final int size() {
        lock.lock();
        try {
            return events.size();
        } finally {
            lock.unlock();
        }
    }

    final void close() {
        lock.lock();
        try {
            closed = true;
            events.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
