package io.rdma4j.core.uc;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.tape.PacketText;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.core.wire.DropReason;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.BindMemoryWindow;
import io.rdma4j.verbs.LocalInvalidate;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryWindow;
import io.rdma4j.verbs.MemoryWindowBinding;
import io.rdma4j.verbs.MemoryWindowType;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.QueuePairType;
import io.rdma4j.verbs.RemoteKeys;
import io.rdma4j.verbs.Send;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** §11.2, §6.1(5): windows are bound and invalidated in the send queue of an unreliable connection too. */
class UnreliableWindowTest {
    private static final long AT = 0x40000;

    private final Tape tape = new TapeSetup().type(QueuePairType.UC).start();
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(4096);
    private final MemoryRegion region =
            tape.register("windowed", bytes, AT, AccessFlag.LOCAL_WRITE, AccessFlag.MEMORY_WINDOW_BIND);
    private final MemoryWindow window = tape.domain.allocateMemoryWindow(MemoryWindowType.TYPE_2);
    private final int key = RemoteKeys.increment(window.remoteKey());

    @AfterEach
    void nothingMore() {
        window.close();
        region.close();
        tape.close();
    }

    private BindMemoryWindow bind(long id) {
        return BindMemoryWindow.of(id, window, MemoryWindowBinding.of(region, 0, 64, AccessFlag.REMOTE_WRITE), key)
                .signaled();
    }

    private String write(int psn) {
        return String.format("UC_RDMA_WRITE_ONLY psn=%d va=0x40000 key=0x%x dma=8 len=8", psn, key);
    }

    @Test
    @DisplayName("§11.2, §6.1(5): a bind takes effect between the SENDs around it, and an invalidation ends it")
    void bindAndInvalidate() {
        tape.post(Send.of(1).signaled(), bind(2), Send.of(3).signaled());
        tape.out("UC_SEND_ONLY psn=100", "UC_SEND_ONLY psn=101");
        tape.sendDone("1 SUCCESS SEND 0", "2 SUCCESS BIND_MW 0", "3 SUCCESS SEND 0");
        tape.in(write(500));
        byte[] placed = new byte[8];
        bytes.get(0, placed);
        assertThat(placed).isEqualTo(PacketText.payload(500, 8));
        tape.post(LocalInvalidate.of(4, key).signaled(), Send.of(5)).out("UC_SEND_ONLY psn=102");
        tape.sendDone("4 SUCCESS LOCAL_INV 0").in(write(501));
        assertThat(tape.count(DropReason.BAD_REMOTE_KEY)).isEqualTo(1);
    }

    @Test
    @DisplayName("§8.2: a bind or an invalidation that is refused is MW_BIND_ERR, and SQE")
    void refused() {
        tape.post(LocalInvalidate.of(1, window.remoteKey()), Send.of(2)).sendDone("1 MW_BIND_ERR", "2 WR_FLUSH_ERR");
        tape.state(QueuePairState.SQE)
                .qp
                .modify(QueuePairAttributes.builder().state(QueuePairState.RTS).build());
        tape.post(bind(3), bind(4), Send.of(5)).sendDone("3 SUCCESS BIND_MW 0", "4 MW_BIND_ERR", "5 WR_FLUSH_ERR");
        tape.out().state(QueuePairState.SQE);
    }
}
