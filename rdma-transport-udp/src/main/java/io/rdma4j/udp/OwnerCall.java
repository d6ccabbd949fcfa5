package io.rdma4j.udp;

import io.netty.channel.EventLoop;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.RdmaException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** A control command on its way to the owner thread, and the caller that waits for it. */
final class OwnerCall<T> implements Runnable {
    private static final long LIFE_SIGN_MS = 100;

    private final Supplier<T> command;
    private final UdpDriver driver;
    private final CompletableFuture<T> result = new CompletableFuture<>();

    OwnerCall(Supplier<T> command, UdpDriver driver) {
        this.command = command;
        this.driver = driver;
    }

    static RdmaException stopped() {
        return new RdmaException(ErrorCode.ENODEV, "the device is closed");
    }

    /** Runs on the owner thread. */
    @Override
    public void run() {
        if (driver.isStopped()) {
            result.completeExceptionally(stopped());
            return;
        }
        try {
            result.complete(command.get());
        } catch (RuntimeException | Error e) {
            result.completeExceptionally(e);
        }
        driver.turn(); // a command may have given the engine something to send
    }

    /** Waits for the result; an interrupt is kept for later, as a control command takes microseconds. */
    T await(EventLoop loop) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return result.get(LIFE_SIGN_MS, TimeUnit.MILLISECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException e) {
                    if (loop.isTerminated()) {
                        // A command that was queued when the loop ended is never run.
                        result.completeExceptionally(stopped());
                    }
                } catch (ExecutionException e) {
                    throw rethrown(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static RuntimeException rethrown(ExecutionException failure) {
        Throwable cause = failure.getCause();
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException runtime ? runtime : new IllegalStateException(failure);
    }
}
