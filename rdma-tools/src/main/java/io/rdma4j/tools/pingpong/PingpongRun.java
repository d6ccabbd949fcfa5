package io.rdma4j.tools.pingpong;

import io.rdma4j.tools.cli.ToolException;
import io.rdma4j.tools.text.Units;
import io.rdma4j.tools.verbs.CompletionWaiter;
import io.rdma4j.tools.verbs.DirectMemory;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.CompletionChannel;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collections;
import org.jspecify.annotations.Nullable;

/** One run of the ping-pong: makes the resources, meets the other end, sends to and fro, reports. */
final class PingpongRun {
    private static final long RECEIVE_ID = 1;
    private static final long SEND_ID = 2;
    private static final int PAGE = 4096;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final RdmaDevice device;
    private final PingpongPlan plan;
    private final PrintWriter out;

    PingpongRun(RdmaDevice device, PingpongPlan plan, PrintWriter out) {
        this.device = device;
        this.plan = plan;
        this.out = out;
    }

    void run() {
        ByteBuffer buffer = DirectMemory.allocate(plan.size());
        fill(buffer);
        try (ServerSocket server = plan.host() == null ? AddressExchange.listen(plan.tcpPort()) : null;
                ProtectionDomain domain = device.allocateProtectionDomain();
                CompletionChannel channel = device.createCompletionChannel();
                CompletionQueue queue = device.createCompletionQueue(plan.receiveDepth() + 1, channel);
                MemoryRegion region = domain.registerMemory(buffer, AccessFlag.LOCAL_WRITE);
                QueuePair pair = domain.createQueuePair(QueuePairConfig.reliable(queue)
                        .maxSendWorkRequests(1)
                        .maxReceiveWorkRequests(plan.receiveDepth())
                        .maxSendScatterGather(1)
                        .maxReceiveScatterGather(1))) {
            CompletionWaiter waiter = new CompletionWaiter(queue, channel, PATIENCE);
            Exchange exchange =
                    new Exchange(pair, region, plan.events() ? waiter.withEvents() : waiter, plan.iterations());
            pair.modify(QueuePairAttributes.builder()
                    .state(QueuePairState.INIT)
                    .pkeyIndex(0)
                    .port(1)
                    .accessFlags()
                    .build());
            // Receives go up before the peer is told of this end, so that nothing it sends finds none.
            exchange.postReceives(plan.receiveDepth());
            meet(pair, server);
            long start = System.nanoTime();
            exchange.run(plan.host() != null, plan.receiveDepth());
            report(System.nanoTime() - start);
        } catch (IOException e) {
            throw new ToolException("cannot close the server socket: " + e.getMessage(), e);
        }
        if (plan.validate() && plan.host() == null) {
            validate(buffer);
        }
    }

    private void meet(QueuePair pair, @Nullable ServerSocket server) {
        PingpongAddress local = new PingpongAddress(0, pair.localAddress());
        say("  local address:  " + local.describe());
        PingpongAddress remote;
        if (server == null) {
            remote = AddressExchange.asClient(String.valueOf(plan.host()), plan.tcpPort(), local);
            connect(pair, remote);
        } else {
            remote = AddressExchange.asServer(server, local, peer -> connect(pair, peer));
        }
        say("  remote address: " + remote.describe());
    }

    /** The attributes of the C tool: timer 12, timeout 14, retries 7 and 7 are the defaults of connect. */
    private void connect(QueuePair pair, PingpongAddress remote) {
        pair.connect(
                remote.endpoint(), ConnectOptions.DEFAULT.pathMtu(plan.mtu()).maxReadAtomic(1));
    }

    private void report(long nanos) {
        long bytes = 2L * plan.size() * plan.iterations();
        double seconds = nanos / 1e9;
        say(Units.format("%d bytes in %.2f seconds = %.2f Mbit/sec", bytes, seconds, bytes * 8 / (nanos / 1e3)));
        say(Units.format(
                "%d iters in %.2f seconds = %.2f usec/iter",
                plan.iterations(), seconds, nanos / 1e3 / plan.iterations()));
    }

    /** The bytes of the C tool: the client's first byte of each page is 0, all else tells the ends apart. */
    private void fill(ByteBuffer buffer) {
        boolean server = plan.host() == null;
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.put(i, (byte) (server ? 0x7C : 0x7B));
        }
        if (plan.validate() && !server) {
            for (int i = 0; i < buffer.capacity(); i += PAGE) {
                buffer.put(i, (byte) 0);
            }
        }
    }

    private static void validate(ByteBuffer buffer) {
        for (int i = 0; i < buffer.capacity(); i += PAGE) {
            if (buffer.get(i) != 0) {
                throw new ToolException("invalid data in page " + i / PAGE);
            }
        }
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }

    /** The loop of sends and receives: a message goes out when the last one has been completed and answered. */
    private static final class Exchange {
        private final QueuePair pair;
        private final CompletionWaiter waiter;
        private final int iterations;
        private final Send send;
        private final ReceiveRequest receive;
        private final WorkCompletion[] completions = WorkCompletion.array(2);
        private int posted;
        private int sent;
        private int received;
        private boolean sendPending;
        private boolean receivePending = true;

        Exchange(QueuePair pair, MemoryRegion region, CompletionWaiter waiter, int iterations) {
            this.pair = pair;
            this.waiter = waiter;
            this.iterations = iterations;
            this.send = Send.of(SEND_ID, region.all()).signaled();
            this.receive = ReceiveRequest.of(RECEIVE_ID, region.all());
        }

        void postReceives(int count) {
            pair.postReceive(Collections.nCopies(count, receive));
            posted += count;
        }

        void run(boolean starts, int depth) {
            if (starts) {
                postSend();
            }
            while (sent < iterations || received < iterations) {
                int count = waiter.await(completions);
                for (int i = 0; i < count; i++) {
                    take(completions[i], depth);
                }
            }
        }

        private void take(WorkCompletion completion, int depth) {
            if (!completion.isSuccess()) {
                throw new ToolException(CompletionWaiter.describe(completion) + hint(completion.status()));
            }
            if (completion.workRequestId() == SEND_ID) {
                sent++;
                sendPending = false;
            } else {
                received++;
                posted--;
                receivePending = false;
                if (posted <= 1) {
                    postReceives(depth - posted);
                }
            }
            if (sent < iterations && !sendPending && !receivePending) {
                postSend();
            }
        }

        /** The options that the two ends do not tell each other, and what it looks like when they differ. */
        private static String hint(WorkCompletionStatus status) {
            return switch (status) {
                case REM_INV_REQ_ERR, LOC_LEN_ERR, REM_OP_ERR -> "; do both ends use the same --mtu and --size?";
                case RETRY_EXC_ERR -> "; is the other end still there, and can UDP packets reach it?";
                default -> "";
            };
        }

        private void postSend() {
            pair.postSend(send);
            sendPending = true;
            receivePending = true;
        }
    }
}
