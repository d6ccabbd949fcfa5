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
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Many queue pairs with deep queues against a socket whose buffer holds little of it. */
@Timeout(120)
class SmallReceiveBufferTest {
    private static final Logger LOG = LoggerFactory.getLogger(SmallReceiveBufferTest.class);

    private static final int QUEUE_PAIRS = 64;
    private static final int DEPTH = 128;
    private static final int MESSAGE = 64 << 10;

    /** A few seconds in each build; {@code -Drdma4j.test.overrunSeconds=30} for the whole of the scenario. */
    private static final long SECONDS = Long.getLong("rdma4j.test.overrunSeconds", 3);

    private final Map<Integer, QueuePair> senders = new HashMap<>();
    private final Map<Integer, Integer> places = new HashMap<>();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final WorkCompletion[] polled = WorkCompletion.array(64);
    private int posted;
    private int completed;

    /** One side: a device, a completion queue for all queue pairs, and memory. */
    private final class Side {
        final RdmaDevice device;
        final ProtectionDomain domain;
        final CompletionQueue completions;
        final ByteBuffer memory;
        final MemoryRegion region;

        Side(String uri, int bytes) {
            device = keep(RdmaDevices.open(uri));
            domain = keep(device.allocateProtectionDomain());
            completions = keep(device.createCompletionQueue(QUEUE_PAIRS * DEPTH));
            memory = ByteBuffer.allocateDirect(bytes);
            region = keep(domain.registerMemory(memory, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE));
        }

        QueuePair queuePair() {
            return keep(domain.createQueuePair(QueuePairConfig.reliable(completions)
                    .maxSendWorkRequests(DEPTH)
                    .maxReceiveWorkRequests(1)));
        }
    }

    private <T extends AutoCloseable> T keep(T resource) {
        opened.add(0, resource);
        return resource;
    }

    @Test
    @DisplayName(
            "bug/3: 64 queue pairs, depth 128, 64 KiB WRITEs into a small socket buffer: losses, but no RETRY_EXC_ERR")
    void deepQueuesIntoASmallBuffer() throws Exception {
        try {
            Side from = new Side("udp://127.9.4.5?port=0", MESSAGE);
            Side to = new Side("udp://127.9.4.6?port=0&receivebuffer=65536", QUEUE_PAIRS * MESSAGE);
            for (int i = 0; i < MESSAGE; i += Integer.BYTES) {
                from.memory.putInt(i, i * 0x9E3779B9);
            }
            for (int i = 0; i < QUEUE_PAIRS; i++) {
                QueuePair sender = from.queuePair();
                QueuePair receiver = to.queuePair();
                sender.connect(receiver.localAddress(), ConnectOptions.DEFAULT);
                receiver.connect(sender.localAddress(), ConnectOptions.DEFAULT);
                senders.put(sender.number(), sender);
                places.put(sender.number(), i);
            }
            long begin = System.nanoTime();
            senders.keySet().forEach(number -> {
                for (int i = 0; i < DEPTH; i++) {
                    post(number, from, to);
                }
            });
            long end = begin + TimeUnit.SECONDS.toNanos(SECONDS);
            while (completed < posted) {
                poll(from, to, System.nanoTime() < end);
            }
            long retransmitted = from.device.counters().get("retransmitted_packets");
            LOG.info(
                    "bug/3: {} MiB in {} ms, {} packets sent again, {} time-outs",
                    ((long) completed * MESSAGE) >> 20,
                    (System.nanoTime() - begin) / 1_000_000,
                    retransmitted,
                    from.device.counters().get("local_ack_timeout_error"));
            assertThat(retransmitted).as("datagrams were lost").isPositive();
            for (int i = 0; i < QUEUE_PAIRS; i++) {
                assertThat(to.memory.slice(i * MESSAGE, MESSAGE))
                        .as("queue pair %d", i)
                        .isEqualTo(from.memory);
            }
        } finally {
            for (AutoCloseable resource : opened) {
                resource.close();
            }
        }
    }

    private void post(int number, Side from, Side to) {
        long target = to.region.address() + (long) Objects.requireNonNull(places.get(number)) * MESSAGE;
        Objects.requireNonNull(senders.get(number))
                .postSend(RdmaWrite.of(posted++, from.region.all())
                        .to(target, to.region.remoteKey())
                        .signaled());
    }

    private void poll(Side from, Side to, boolean again) {
        int count = from.completions.poll(polled);
        for (int i = 0; i < count; i++) {
            assertThat(polled[i].isSuccess()).as(polled[i].cause()).isTrue();
            completed++;
            if (again) {
                post(polled[i].queuePairNumber(), from, to);
            }
        }
        if (count == 0) {
            Thread.onSpinWait();
        }
    }
}
