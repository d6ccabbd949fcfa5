package io.rdma4j.udp;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.rdma4j.core.device.DeviceDriver;
import io.rdma4j.core.queue.WakeFlag;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.RdmaException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives one engine on one event loop, whose thread owns the engine. A turn advances the engine and hands what it sent to
 * the socket; turns come after a burst of datagrams, after a wake-up, when a deadline is reached, and again soon when the
 * engine stopped at its bound.
 */
final class UdpDriver implements DeviceDriver {
    private static final Logger LOG = LoggerFactory.getLogger(UdpDriver.class);
    private static final long NO_DEADLINE = Long.MAX_VALUE;

    /** After a failure in the engine, which is a bug, the loop is not to spin on it. */
    private static final long AFTER_FAILURE_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final long TERMINATION_SECONDS = 5;

    private final EventLoop loop;
    private final long origin = System.nanoTime();
    private final WakeFlag woken = new WakeFlag();
    private final Runnable wakeTurn = this::wakeTurn;
    private final Runnable timerTurn = this::timerTurn;
    private final Runnable soonTurn = this::soonTurn;

    private volatile boolean stopped;
    private @Nullable Duty duty;
    private @Nullable Runnable onStop;
    private @Nullable Future<?> timer;
    private long armedFor = NO_DEADLINE;
    private @Nullable Future<?> soon;

    UdpDriver(EventLoop loop) {
        this.loop = loop;
    }

    /** Begins turns; on the owner thread. */
    void start(Duty engineDuty, Runnable whenStopped) {
        duty = engineDuty;
        onStop = whenStopped;
        turn();
    }

    /** The engine's time. It starts near 0, so that deadlines are ordinary numbers. */
    long nowNs() {
        return System.nanoTime() - origin;
    }

    /** Asks, from any thread, for a turn; many requests before it begins are one. */
    void wake() {
        if (!woken.raise()) {
            return;
        }
        if (loop.inEventLoop()) {
            turnSoon();
            return;
        }
        try {
            loop.execute(wakeTurn);
        } catch (RejectedExecutionException e) {
            // The device is closed; nobody waits for a turn any more.
        }
    }

    /** Asks for another turn after the loop has looked at its sockets; owner thread only. */
    void turnSoon() {
        if (soon == null) {
            // Never execute(): a task that executes itself keeps the loop from its sockets for seconds.
            soon = loop.schedule(soonTurn, 0, TimeUnit.NANOSECONDS);
        }
    }

    /** Advances the engine once and arms the timer for what comes next; owner thread only. */
    void turn() {
        Duty engine = duty;
        if (engine == null || stopped) {
            return;
        }
        long now = nowNs();
        long next;
        try {
            engine.advance(now);
            next = engine.nextDeadlineNs();
        } catch (RuntimeException e) {
            LOG.error("the engine failed, which is a bug; its device goes on as well as it can", e);
            next = now + AFTER_FAILURE_NS;
        }
        if (next <= now) {
            turnSoon();
        } else {
            arm(next, now);
        }
    }

    /** Deadlines only move an armed timer earlier; one that comes too early just looks again. */
    private void arm(long deadline, long now) {
        if (deadline >= armedFor) {
            return;
        }
        if (timer != null) {
            timer.cancel(false);
        }
        armedFor = deadline;
        timer = loop.schedule(timerTurn, deadline - now, TimeUnit.NANOSECONDS);
    }

    private void timerTurn() {
        timer = null;
        armedFor = NO_DEADLINE;
        turn();
    }

    private void soonTurn() {
        soon = null;
        woken.clear();
        turn();
    }

    private void wakeTurn() {
        woken.clear();
        turn();
    }

    @Override
    public <T> T call(Supplier<T> command) {
        if (loop.inEventLoop()) {
            if (stopped) {
                throw OwnerCall.stopped();
            }
            return command.get();
        }
        if (DeviceThread.isCurrent()) {
            throw new RdmaException(
                    ErrorCode.EDEADLK,
                    "a control call from another device's event loop would make one device wait for the other");
        }
        OwnerCall<T> call = new OwnerCall<>(command, this);
        try {
            loop.execute(call);
        } catch (RejectedExecutionException e) {
            throw OwnerCall.stopped();
        }
        return call.await(loop);
    }

    @Override
    public boolean isOwnerThread() {
        return DeviceThread.isCurrent();
    }

    boolean isStopped() {
        return stopped;
    }

    @Override
    public void close() {
        if (loop.inEventLoop()) {
            stop();
            return;
        }
        try {
            loop.execute(this::stop);
        } catch (RejectedExecutionException e) {
            return; // closed already
        }
        if (!DeviceThread.isCurrent()) {
            loop.parent().terminationFuture().awaitUninterruptibly(TERMINATION_SECONDS, TimeUnit.SECONDS);
        }
    }

    private void stop() {
        if (stopped) {
            return;
        }
        stopped = true;
        if (timer != null) {
            timer.cancel(false);
        }
        if (onStop != null) {
            onStop.run();
        }
    }
}
