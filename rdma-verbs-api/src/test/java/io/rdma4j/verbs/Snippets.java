package io.rdma4j.verbs;

import static io.rdma4j.verbs.AccessFlag.LOCAL_WRITE;
import static io.rdma4j.verbs.AccessFlag.REMOTE_READ;
import static io.rdma4j.verbs.AccessFlag.REMOTE_WRITE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** The snippets of the Javadoc, so that they compile; {@link SnippetsTest} checks that none is missing. */
final class Snippets {
    private Snippets() {}

    @SuppressWarnings("unused")
    static void devices(QueuePairAddress peer, long peerAddress, int peerKey) {
        try (RdmaDevice device = RdmaDevices.open("udp://127.0.0.1");
                ProtectionDomain pd = device.allocateProtectionDomain();
                CompletionQueue cq = device.createCompletionQueue(256);
                MemoryRegion region = pd.registerMemory(ByteBuffer.allocateDirect(1 << 20), LOCAL_WRITE, REMOTE_WRITE);
                QueuePair qp = pd.createQueuePair(QueuePairConfig.reliable(cq))) {
            qp.connect(peer);
            qp.postSend(RdmaWrite.of(1L, region.slice(0, 4096))
                    .to(peerAddress, peerKey)
                    .signaled());
            WorkCompletion[] done = WorkCompletion.array(16);
            int n = cq.poll(done);
        }
    }

    static RdmaDevice config() {
        DeviceConfig config =
                DeviceConfig.of("udp", "127.0.0.1").with("port", 14791).with("mtu", 4096);
        RdmaDevice device = RdmaDevices.open(config);
        return device;
    }

    static void completions(CompletionQueue cq, CompletionChannel channel) {
        WorkCompletion[] done = WorkCompletion.array(16);
        while (true) {
            int n = cq.poll(done);
            for (int i = 0; i < n; i++) {
                handle(done[i]);
            }
            if (n == 0 && !cq.arm(false)) {
                CompletionQueue ready = channel.await(Duration.ofSeconds(1));
                if (ready == null) {
                    break;
                }
                ready.acknowledgeEvents(1);
            }
        }
    }

    static void handle(WorkCompletion wc) {
        if (!wc.isSuccess()) {
            System.err.println(wc.workRequestId() + ": " + wc.status() + ", " + wc.cause());
        }
    }

    static void attributes(QueuePair qp, QueuePairAddress peer) {
        qp.modify(QueuePairAttributes.builder()
                .state(QueuePairState.INIT)
                .pkeyIndex(0)
                .port(1)
                .accessFlags(AccessFlag.REMOTE_WRITE)
                .build());
        qp.connect(peer, ConnectOptions.DEFAULT.timeout(18).pathMtu(PathMtu.MTU_1024));
    }

    static void datagrams(ProtectionDomain domain, CompletionQueue completions, QueuePairAddress peer) {
        QueuePair qp = domain.createQueuePair(QueuePairConfig.datagram(completions));
        qp.activate(0x11111111);
        AddressHandle way = domain.createAddressHandle(AddressVector.of(peer.gid()));
        qp.postSend(Send.inline(1, "hello".getBytes(UTF_8)).to(way, peer.queuePairNumber(), 0x11111111));
    }

    static void exchange(QueuePair qp, BufferedReader in, PrintWriter out) throws IOException {
        out.println(qp.localAddress());
        qp.connect(QueuePairAddress.parse(in.readLine()));
    }

    static MemoryRegion memory(ProtectionDomain pd, ByteBuffer firstGigabyte, ByteBuffer secondGigabyte) {
        MemoryRegion log = pd.registerMemory(MemoryRegionConfig.of(firstGigabyte, secondGigabyte)
                .access(LOCAL_WRITE, REMOTE_READ)
                .iova(0x1000_0000L));
        return log;
    }

    static boolean poll(QueuePair qp, MemoryRegion region) {
        qp.postReceive(ReceiveRequest.of(7L, region.slice(0, 1024)));
        qp.postSend(Send.of(8L, region.slice(1024, 16)).signaled());
        boolean isThere = region.awaitLong(4088, 42L, Duration.ofSeconds(1));
        return isThere;
    }

    static void requests(QueuePair qp, MemoryRegion region, long peerAddress, int peerKey) {
        SendRequest write =
                RdmaWrite.of(1L, region.slice(0, 4096)).to(peerAddress, peerKey).signaled();
        SendRequest read = RdmaRead.of(2L, region.slice(4096, 4096))
                .from(peerAddress, peerKey)
                .signaled();
        SendRequest lock = CompareAndSwap.of(3L, region.slice(0, 8), 0L, 1L)
                .at(peerAddress, peerKey)
                .signaled();
        SendRequest ticket = FetchAndAdd.of(4L, region.slice(8, 8), 1L)
                .at(peerAddress, peerKey)
                .signaled();
        SendRequest notice = Send.of(5L, region.slice(16, 64)).fenced().solicited();
        SendRequest written =
                RdmaWriteWithImmediate.of(6L, 42, region.slice(0, 4096)).to(peerAddress, peerKey);
        SendRequest hello = Send.inline(7L, "hello".getBytes(StandardCharsets.UTF_8));
        qp.postSend(List.of(write, read, lock, ticket, notice, written, hello));
    }

    static void reregister(MemoryRegion region, ByteBuffer larger, ProtectionDomain other) {
        region.reregister(MemoryRegionUpdate.none().access(LOCAL_WRITE)); // peers are locked out
        region.reregister(MemoryRegionUpdate.none().translation(larger).protectionDomain(other));
    }

    static void batch(QueuePair qp, MemoryRegion region, ByteBuffer header, long peerAddress, int peerKey) {
        SendBatch batch = qp.startSends();
        batch.workRequestId(1).rdmaWrite(peerAddress, peerKey).element(region, 0, 4096);
        batch.workRequestId(2).signaled().send().inlineData(header);
        batch.complete();
    }
}
