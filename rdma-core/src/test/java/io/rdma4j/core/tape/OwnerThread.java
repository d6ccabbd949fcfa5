package io.rdma4j.core.tape;

import io.rdma4j.core.device.DeviceDriver;
import io.rdma4j.core.engine.DeviceEngine;
import io.rdma4j.core.link.Egress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * A driver with a thread of its own, for tests of what other threads do meanwhile. It advances the engine when it is woken
 * and before every command; the engine's time stands still.
 */
public final class OwnerThread implements DeviceDriver {
    private static final long NOW = 0;

    private final Semaphore work = new Semaphore(0);
    private final ConcurrentLinkedQueue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final Thread thread = new Thread(this::run, "owner");
    private volatile boolean stopped;
    private DeviceEngine engine;
    private Egress link;

    /** Begins to drive an engine, which was made with {@link #wake} as its wake-up. */
    public void start(DeviceEngine driven, Egress egress) {
        engine = driven;
        link = egress;
        thread.setDaemon(true);
        thread.start();
    }

    public void wake() {
        work.release();
    }

    private void run() {
        while (!stopped) {
            work.acquireUninterruptibly();
            work.drainPermits();
            advance();
            for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
                advance(); // whatever rang before the command was given
                command.run();
            }
        }
    }

    private void advance() {
        do {
            engine.advance(NOW, link);
        } while (engine.nextDeadlineNs() <= NOW);
    }

    @Override
    public <T> T call(Supplier<T> command) {
        CompletableFuture<T> result = new CompletableFuture<>();
        commands.add(() -> {
            try {
                result.complete(command.get());
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        wake();
        return result.join();
    }

    @Override
    public boolean isOwnerThread() {
        return Thread.currentThread() == thread;
    }

    @Override
    public void close() {
        stopped = true;
        wake();
    }
}
