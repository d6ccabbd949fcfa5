package io.rdma4j.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.RdmaDevices;
import io.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/** A device with one queue pair and one region, as most programs begin. */
final class Endpoint implements AutoCloseable {
    final RdmaDevice device;
    final ProtectionDomain domain;
    final CompletionQueue completions;
    final ByteBuffer memory;
    final MemoryRegion region;
    final QueuePair queuePair;

    Endpoint(String uri, int bytes) {
        device = RdmaDevices.open(uri);
        domain = device.allocateProtectionDomain();
        completions = device.createCompletionQueue(256);
        memory = ByteBuffer.allocateDirect(bytes);
        region = domain.registerMemory(memory, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);
        queuePair = domain.createQueuePair(QueuePairConfig.reliable(completions));
    }

    /** With time-outs (0.27 s) that only a lost packet outlasts, not a busy machine or a loop that has just begun to run. */
    static void connect(Endpoint a, Endpoint b) {
        a.queuePair.connect(b.queuePair.localAddress(), ConnectOptions.DEFAULT.timeout(16));
        b.queuePair.connect(a.queuePair.localAddress(), ConnectOptions.DEFAULT.timeout(16));
    }

    /** Fills the memory with a pattern that depends on a seed. */
    void fill(int seed) {
        for (int i = 0; i < memory.capacity(); i += 4) {
            memory.putInt(i, i * 0x9E3779B9 ^ seed);
        }
    }

    /** Waits for the next completion, which must be a good one. */
    WorkCompletion next() {
        WorkCompletion next = nextOfAnyStatus();
        assertThat(next.isSuccess()).as(next.cause()).isTrue();
        return next;
    }

    /** Waits for the next completion. */
    WorkCompletion nextOfAnyStatus() {
        WorkCompletion[] into = WorkCompletion.array(1);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (completions.poll(into) == 0) {
            assertThat(System.nanoTime()).as("a completion comes in time").isLessThan(end);
            Thread.onSpinWait();
        }
        return into[0];
    }

    @Override
    public void close() {
        queuePair.close();
        region.close();
        completions.close();
        domain.close();
        device.close();
    }
}
