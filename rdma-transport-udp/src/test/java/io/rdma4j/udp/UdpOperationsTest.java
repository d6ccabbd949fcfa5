package io.rdma4j.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryRegionConfig;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.RdmaWriteWithImmediate;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.SendWithImmediate;
import io.rdma4j.verbs.SendWithInvalidate;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionOpcode;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Immediate data, inline data and invalidation over real sockets. */
@Timeout(60)
class UdpOperationsTest {
    private static final int BYTES = 1 << 20;

    /** With the immediate data a full last packet is longer than those before it, which a segmented send must not mix. */
    @ParameterizedTest
    @DisplayName("§7.2(3): immediate data of SEND and of a long WRITE, whose last packet is full or not")
    @ValueSource(ints = {300_001, 72 * 4096, 4096, 0})
    void immediate(int length) {
        try (Endpoint a = new Endpoint("udp://127.9.4.40?port=0", BYTES);
                Endpoint b = new Endpoint("udp://127.9.4.41?port=0", BYTES)) {
            Endpoint.connect(a, b);
            a.fill(1);
            b.queuePair.postReceive(ReceiveRequest.of(7));
            a.queuePair.postSend(RdmaWriteWithImmediate.of(1, 0x8000_0001, a.region.slice(0, length))
                    .to(b.region.address(), b.region.remoteKey())
                    .signaled());
            assertThat(a.next().opcode()).isEqualTo(WorkCompletionOpcode.RDMA_WRITE);
            WorkCompletion written = b.next();
            assertThat(written.opcode()).isEqualTo(WorkCompletionOpcode.RECV_RDMA_WITH_IMM);
            assertThat(written.immediateData()).isEqualTo(0x8000_0001);
            assertThat(written.byteLength()).isEqualTo(length);
            assertThat(b.memory.slice(0, length)).isEqualTo(a.memory.slice(0, length));

            b.queuePair.postReceive(ReceiveRequest.of(8, b.region.slice(400_000, 64)));
            a.queuePair.postSend(SendWithImmediate.inline(2, 42, "hello".getBytes(StandardCharsets.UTF_8)));
            WorkCompletion sent = b.next();
            assertThat(sent.opcode()).isEqualTo(WorkCompletionOpcode.RECV);
            assertThat(sent.immediateData()).isEqualTo(42);
            assertThat(sent.byteLength()).isEqualTo(5);
            assertThat(b.memory.get(400_004)).isEqualTo((byte) 'o');
        }
    }

    @Test
    @DisplayName("§7.2(8), §11.1: a key that the peer has ended")
    void invalidate() {
        try (Endpoint a = new Endpoint("udp://127.9.4.42?port=0", 4096);
                Endpoint b = new Endpoint("udp://127.9.4.43?port=0", 4096);
                MemoryRegion open = b.domain.registerMemory(MemoryRegionConfig.of(ByteBuffer.allocateDirect(64))
                        .access(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE)
                        .remoteInvalidate())) {
            Endpoint.connect(a, b);
            RdmaWrite write = RdmaWrite.inline(1, new byte[] {1, 2, 3})
                    .to(open.address(), open.remoteKey())
                    .signaled();
            b.queuePair.postReceive(ReceiveRequest.of(7));
            a.queuePair.postSend(write);
            a.queuePair.postSend(SendWithInvalidate.of(2, open.remoteKey()));
            assertThat(a.next().workRequestId()).isEqualTo(1);
            assertThat(b.next().invalidatedKey()).isEqualTo(open.remoteKey());
            a.queuePair.postSend(write);
            assertThat(a.nextOfAnyStatus().status()).isEqualTo(WorkCompletionStatus.REM_ACCESS_ERR);
        }
    }
}
