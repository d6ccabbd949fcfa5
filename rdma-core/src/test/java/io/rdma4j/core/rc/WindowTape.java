package io.rdma4j.core.rc;

import static io.rdma4j.verbs.AccessFlag.LOCAL_WRITE;
import static io.rdma4j.verbs.AccessFlag.MEMORY_WINDOW_BIND;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.BindMemoryWindow;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryWindow;
import io.rdma4j.verbs.MemoryWindowBinding;
import io.rdma4j.verbs.MemoryWindowType;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RemoteKeys;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;

/** A tape with a region that windows may be bound to, and one window of each type. */
abstract class WindowTape {
    static final long AT = 0x40000;
    final Tape tape = new Tape();
    final ByteBuffer bytes = ByteBuffer.allocateDirect(8192);
    MemoryRegion region = registered(LOCAL_WRITE, MEMORY_WINDOW_BIND);
    final MemoryWindow one = tape.domain.allocateMemoryWindow(MemoryWindowType.TYPE_1);
    final MemoryWindow two = tape.domain.allocateMemoryWindow(MemoryWindowType.TYPE_2);

    @AfterEach
    void nothingMore() {
        one.close();
        two.close();
        region.close();
        tape.close();
    }

    MemoryRegion registered(AccessFlag... access) {
        return tape.register("windowed", bytes, AT, access);
    }

    MemoryWindow of(MemoryWindowType type) {
        return type == MemoryWindowType.TYPE_1 ? one : two;
    }

    /** Binds, as the window's type has it, and lets the engine work; the new key in hex. */
    String bind(long id, MemoryWindow window, MemoryWindowBinding binding, boolean signaled) {
        int key;
        if (window.type() == MemoryWindowType.TYPE_1) {
            key = tape.qp.bindMemoryWindow(id, window, binding, signaled);
        } else {
            key = RemoteKeys.increment(window.remoteKey());
            BindMemoryWindow request = BindMemoryWindow.of(id, window, binding, key);
            tape.qp.postSend(signaled ? request.signaled() : request);
        }
        tape.run();
        assertThat(window.remoteKey()).isEqualTo(key);
        return "0x" + Integer.toHexString(key);
    }

    MemoryWindowBinding part(long offset, long length, AccessFlag... access) {
        return MemoryWindowBinding.of(region, offset, length, access);
    }

    void reconnect() {
        tape.qp.modify(QueuePairAttributes.builder().state(QueuePairState.RESET).build());
        new TapeSetup().connect(tape.qp);
    }

    void region(AccessFlag... access) {
        region.close();
        region = registered(access);
    }
}
