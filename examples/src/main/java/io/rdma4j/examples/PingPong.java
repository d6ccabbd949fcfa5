package io.rdma4j.examples;

import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.RdmaDevices;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionOpcode;
import java.nio.ByteBuffer;

/**
 * Sends a message to and fro between two devices of this machine, a thousand times, and tells how long that takes. A real
 * program has one end; the two know each other's {@code localAddress()} from whatever else connects them.
 */
public final class PingPong {
    private static final int ROUNDS = 1_000;
    private static final int MESSAGE_BYTES = 64;

    private PingPong() {}

    /** Runs the example; takes no arguments. */
    public static void main(String[] args) {
        try (End left = new End("udp://127.0.0.1?port=0");
                End right = new End("udp://127.0.0.1?port=0")) {
            left.pair.connect(right.pair.localAddress());
            right.pair.connect(left.pair.localAddress());

            left.region.longRelease(0, 42); // the message: a number that each end increments
            long start = System.nanoTime();
            for (int i = 0; i < ROUNDS; i++) {
                left.sendTo(right);
                right.sendTo(left);
            }
            long nanos = System.nanoTime() - start;
            System.out.printf(
                    "%d rounds, %.1f us each; the message is %d now%n",
                    ROUNDS, nanos / 1e3 / ROUNDS, left.region.longAcquire(0));
        }
    }

    /** A device with one queue pair and a buffer for one message. */
    private static final class End implements AutoCloseable {
        private final RdmaDevice device;
        private final ProtectionDomain domain;
        private final CompletionQueue completions;
        private final MemoryRegion region;
        private final QueuePair pair;
        private final WorkCompletion[] completion = WorkCompletion.array(1);

        End(String uri) {
            device = RdmaDevices.open(uri);
            domain = device.allocateProtectionDomain();
            completions = device.createCompletionQueue(16);
            region = domain.registerMemory(ByteBuffer.allocateDirect(MESSAGE_BYTES), AccessFlag.LOCAL_WRITE);
            pair = domain.createQueuePair(QueuePairConfig.reliable(completions));
        }

        void sendTo(End other) {
            other.pair.postReceive(ReceiveRequest.of(1, other.region.all())); // before the message can come
            pair.postSend(Send.of(2, region.all()).signaled());
            await(WorkCompletionOpcode.SEND);
            other.await(WorkCompletionOpcode.RECV);
            other.region.longRelease(0, other.region.longAcquire(0) + 1);
        }

        private void await(WorkCompletionOpcode expected) {
            while (completions.poll(completion) == 0) {
                Thread.onSpinWait();
            }
            if (!completion[0].isSuccess() || completion[0].opcode() != expected) {
                throw new IllegalStateException("expected " + expected + ", got " + completion[0]);
            }
        }

        @Override
        public void close() {
            pair.close(); // from the youngest to the oldest
            region.close();
            completions.close();
            domain.close();
            device.close();
        }
    }
}
