package io.rdma4j.testkit.scenario;

import static io.rdma4j.testkit.scenario.TwoNodes.MILLISECOND;
import static io.rdma4j.testkit.scenario.TwoNodes.SECOND;
import static io.rdma4j.verbs.AccessFlag.LOCAL_WRITE;
import static io.rdma4j.verbs.AccessFlag.MEMORY_WINDOW_BIND;
import static io.rdma4j.verbs.AccessFlag.REMOTE_READ;
import static io.rdma4j.verbs.AccessFlag.REMOTE_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.wire.Syndrome;
import io.rdma4j.testkit.fabric.FabricOptions;
import io.rdma4j.testkit.verbs.HostMemory;
import io.rdma4j.verbs.BindMemoryWindow;
import io.rdma4j.verbs.ConnectOptions;
import io.rdma4j.verbs.FastRegister;
import io.rdma4j.verbs.FastRegistrationRegion;
import io.rdma4j.verbs.LocalInvalidate;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryWindow;
import io.rdma4j.verbs.MemoryWindowBinding;
import io.rdma4j.verbs.MemoryWindowType;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.RemoteKeys;
import io.rdma4j.verbs.SendWithImmediate;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Windows, fast registration and invalidation between two nodes (§11), over networks that lose. */
class MemoryWindowScenarioTest {
    private static final int BYTES = 64 << 10;

    private static MemoryRegion windowed(TwoNodes nodes, ByteBuffer memory) {
        return nodes.b.domain.registerMemory(memory, LOCAL_WRITE, MEMORY_WINDOW_BIND);
    }

    private static WorkCompletion last(Node node) {
        List<WorkCompletion> all = node.completions();
        return all.get(all.size() - 1);
    }

    @Test
    @DisplayName(
            "§11.2, golden mw_type1_bind: WRITE and READ inside; beyond the window NAK 0x62, where rxe acknowledges")
    void golden() {
        try (TwoNodes nodes = TwoNodes.connected(ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_512));
                MemoryRegion region = windowed(nodes, HostMemory.allocate(BYTES));
                MemoryWindow window = nodes.b.domain.allocateMemoryWindow(MemoryWindowType.TYPE_1)) {
            int before = window.remoteKey();
            int key = nodes.b.queuePair.bindMemoryWindow(
                    50, window, MemoryWindowBinding.of(region, 4096, 1024, REMOTE_READ, REMOTE_WRITE), true);
            assertThat(key).isEqualTo(RemoteKeys.increment(before));
            nodes.runToRest();
            assertThat(last(nodes.b).isSuccess()).isTrue();

            long start = region.address() + 4096;
            nodes.a.queuePair.postSend(
                    RdmaWrite.of(1, nodes.a.region.slice(0, 64)).to(start, key).signaled());
            nodes.a.queuePair.postSend(RdmaRead.of(2, nodes.a.region.slice(0, 1024))
                    .from(start, key)
                    .signaled());
            nodes.runToRest();
            assertThat(nodes.a.completions()).hasSize(2).allMatch(WorkCompletion::isSuccess);

            nodes.a.queuePair.postSend(RdmaWrite.of(3, nodes.a.region.slice(0, 64))
                    .to(start + 1000, key)
                    .signaled());
            nodes.runToRest();
            assertThat(last(nodes.a).status()).isEqualTo(WorkCompletionStatus.REM_ACCESS_ERR);
            assertThat(nodes.naks(nodes.b, Syndrome.NAK_REMOTE_ACCESS)).hasSize(1);
            assertThat(region.longAcquire(4096 + 1000)).isZero();
        }
    }

    /**
     * Each round is one list: a bind, a SEND that tells the key, and, when the reader has answered, an invalidation with the
     * next bind behind it. A second execution of any of them would fail, and with it the queue pair.
     */
    @Test
    @DisplayName("§11.2, §6.3: bind, tell, read, invalidate: once each, whatever the network loses")
    void rounds() {
        try (TwoNodes nodes = TwoNodes.connected();
                MemoryRegion region = windowed(nodes, HostMemory.allocate(BYTES));
                MemoryWindow window = nodes.b.domain.allocateMemoryWindow(MemoryWindowType.TYPE_2)) {
            // No duplicates: a READ that strays in after its window has ended is refused, and rightly so (§7.4).
            nodes.fabric.options(FabricOptions.clean().loss(0.05).delay(5_000));
            SplittableRandom random = new SplittableRandom(11);
            int key = window.remoteKey();
            for (int round = 0; round < 300; round++) {
                int stale = key;
                key = RemoteKeys.increment(key);
                int offset = random.nextInt(BYTES - 3000);
                region.longRelease(offset & -8, round);
                nodes.a.postReceive(1, 4096, 8);
                if (round > 0) {
                    nodes.b.queuePair.postSend(LocalInvalidate.of(2, stale));
                }
                nodes.b.queuePair.postSend(List.of(
                        BindMemoryWindow.of(
                                3, window, MemoryWindowBinding.of(region, offset & -8, 3000, REMOTE_READ), key),
                        RdmaWrite.of(4, nodes.b.region.slice(0, 3000))
                                .to(nodes.a.region.address() + 8192, nodes.a.region.remoteKey()),
                        SendWithImmediate.of(5, key).signaled()));
                int done = nodes.a.completions().size() + 1;
                nodes.runUntilCompletions(nodes.a, done, 10 * SECOND);
                assertThat(last(nodes.a).immediateData()).isEqualTo(key);
                nodes.a.queuePair.postSend(RdmaRead.of(6, nodes.a.region.slice(0, 3000))
                        .from(region.address() + (offset & -8), key)
                        .signaled());
                nodes.runUntilCompletions(nodes.a, done + 1, 10 * SECOND);
                assertThat(last(nodes.a).isSuccess())
                        .as("round %d: %s", round, last(nodes.a))
                        .isTrue();
                assertThat(nodes.a.region.longAcquire(0)).isEqualTo(round);
                nodes.runUntilCompletions(nodes.b, round + 1, 10 * SECOND);
            }
            assertThat(nodes.b.completions()).hasSize(300).allMatch(WorkCompletion::isSuccess);
        }
    }

    @Test
    @DisplayName(
            "bug/8: register, tell, be written to, invalidate: lists of a storage protocol in many rounds, with losses")
    void storageProtocol() {
        try (TwoNodes nodes = TwoNodes.connected();
                FastRegistrationRegion region = nodes.b.domain.allocateFastRegistration(4)) {
            nodes.fabric.options(FabricOptions.clean().loss(0.01).delay(2_000));
            ByteBuffer memory = HostMemory.allocate(4 * 4096);
            int rounds = 2_000;
            for (int round = 0; round < rounds; round++) {
                region.map(memory.slice(0, 4096), memory.slice(4096, 4096), memory.slice(8192, 4096));
                int key = RemoteKeys.increment(region.remoteKey());
                nodes.a.postReceive(1, 0, 8);
                nodes.b.queuePair.postReceive(ReceiveRequest.of(2));
                nodes.b.queuePair.postSend(List.of(
                        FastRegister.of(3, region, key, LOCAL_WRITE, REMOTE_WRITE),
                        SendWithImmediate.of(4, key).signaled()));
                nodes.runUntilCompletions(nodes.a, 2 * round + 1, 10 * SECOND);
                nodes.a.memory.putLong(0, round);
                nodes.a.queuePair.postSend(List.of(
                        RdmaWrite.of(5, nodes.a.region.slice(0, 6000)).to(region.address() + 8, key),
                        SendWithImmediate.of(6, round).signaled()));
                nodes.runUntilCompletions(nodes.b, 3 * round + 2, 10 * SECOND);
                assertThat(memory.getLong(8)).isEqualTo(round);
                nodes.b.queuePair.postSend(LocalInvalidate.of(7, key).signaled());
                nodes.runUntilCompletions(nodes.a, 2 * round + 2, 10 * SECOND);
                nodes.runUntilCompletions(nodes.b, 3 * round + 3, 10 * SECOND);
            }
            nodes.runToRest();
            assertThat(nodes.a.completions()).hasSize(2 * rounds).allMatch(WorkCompletion::isSuccess);
            assertThat(nodes.b.completions()).hasSize(3 * rounds).allMatch(WorkCompletion::isSuccess);
            assertThat(region.isValid()).isFalse();
            nodes.a.queuePair.postSend(RdmaWrite.of(8, nodes.a.region.slice(0, 8))
                    .to(region.address(), region.remoteKey())
                    .signaled());
            nodes.runToRest();
            assertThat(last(nodes.a).status()).isEqualTo(WorkCompletionStatus.REM_ACCESS_ERR);
        }
    }

    /** As bug/32 for regions: what was read before the window went is whole and true, and nothing is read after. */
    @Test
    @DisplayName(
            "§11.2: a window that goes between the responses of a READ: complete data or NAK 0x62, never other bytes")
    void goesDuringARead() {
        SplittableRandom random = new SplittableRandom(32);
        int complete = 0;
        int runs = 40;
        for (int run = 0; run < runs; run++) {
            complete += readOfAWindowThatGoes(random.nextLong(600_000), run % 3) ? 1 : 0;
        }
        assertThat(complete).isBetween(1, runs - 1);
    }

    private static boolean readOfAWindowThatGoes(long whenNs, int how) {
        int bytes = 1_000 * 256;
        try (TwoNodes nodes = new TwoNodes("192.0.2.2", "192.0.2.3", bytes)) {
            nodes.connect(ConnectOptions.DEFAULT.pathMtu(PathMtu.MTU_256));
            ByteBuffer memory = HostMemory.allocate(bytes);
            memory.put(0, nodes.b.bytes(0, bytes));
            byte[] untouched = nodes.a.bytes(0, bytes);
            MemoryRegion region = windowed(nodes, memory);
            MemoryWindow window = nodes.b.domain.allocateMemoryWindow(MemoryWindowType.TYPE_2);
            int key = RemoteKeys.increment(window.remoteKey());
            nodes.b.queuePair.postSend(
                    BindMemoryWindow.of(1, window, MemoryWindowBinding.of(region, 0, bytes, REMOTE_READ), key));
            nodes.runToRest();
            nodes.b.device.refuseClaims(0.1); // so that the responses do not all leave at one instant
            nodes.a.queuePair.postSend(RdmaRead.of(2, nodes.a.region.all())
                    .from(region.address(), key)
                    .signaled());
            nodes.fabric.after(whenNs, () -> {
                switch (how) {
                    case 0 -> window.close();
                    case 1 -> nodes.b.queuePair.postSend(LocalInvalidate.of(3, key));
                    default -> {
                        window.close();
                        region.close();
                        memory.put(0, new byte[bytes]);
                    }
                }
            });
            nodes.runUntilCompletions(nodes.a, 1, SECOND);
            nodes.fabric.runFor(MILLISECOND);
            window.close();
            region.close();
            WorkCompletion done = last(nodes.a);
            byte[] read = nodes.a.bytes(0, bytes);
            byte[] all = nodes.b.bytes(0, bytes);
            if (done.isSuccess()) {
                assertThat(read).isEqualTo(all);
                return true;
            }
            assertThat(done.status()).isEqualTo(WorkCompletionStatus.REM_ACCESS_ERR);
            int arrived = Arrays.mismatch(read, all);
            assertThat(Arrays.equals(read, arrived, bytes, untouched, arrived, bytes))
                    .isTrue();
            return false;
        }
    }
}
