package io.rdma4j.core.rc;

import static io.rdma4j.verbs.AccessFlag.LOCAL_WRITE;
import static io.rdma4j.verbs.AccessFlag.MEMORY_WINDOW_BIND;
import static io.rdma4j.verbs.AccessFlag.REMOTE_ATOMIC;
import static io.rdma4j.verbs.AccessFlag.REMOTE_READ;
import static io.rdma4j.verbs.AccessFlag.ZERO_BASED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.BindMemoryWindow;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryRegionConfig;
import io.rdma4j.verbs.MemoryWindow;
import io.rdma4j.verbs.MemoryWindowBinding;
import io.rdma4j.verbs.MemoryWindowType;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.Send;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a bind may do (§11.2), and how one that may not ends (§8.2). */
class WindowBindRulesTest extends WindowTape {
    @ParameterizedTest
    @CsvSource({
        "MW_BIND LOCAL_WRITE REMOTE_WRITE REMOTE_READ REMOTE_ATOMIC, REMOTE_WRITE REMOTE_READ REMOTE_ATOMIC, true",
        "MW_BIND, '', true",
        "LOCAL_WRITE REMOTE_WRITE REMOTE_READ REMOTE_ATOMIC, '', false",
        "MW_BIND, REMOTE_READ, true",
        "MW_BIND LOCAL_WRITE, REMOTE_WRITE, true",
        "MW_BIND, REMOTE_WRITE, false",
        "MW_BIND LOCAL_WRITE, REMOTE_ATOMIC, true",
        "MW_BIND, REMOTE_ATOMIC, false",
        "MW_BIND LOCAL_WRITE, LOCAL_WRITE REMOTE_WRITE, true",
    })
    @DisplayName("§11.2: rights of region and window, both types")
    void rights(String ofRegion, String ofWindow, boolean legal) {
        region(flags(ofRegion));
        MemoryWindowBinding binding = part(0, 64, flags(ofWindow));
        bind(1, one, binding, true);
        if (legal) {
            bind(2, two, binding, true);
            tape.sendDone("1 SUCCESS BIND_MW 0", "2 SUCCESS BIND_MW 0");
        } else {
            tape.sendDone("1 MW_BIND_ERR").state(QueuePairState.ERR);
            reconnect();
            bind(2, two, binding, true);
            tape.sendDone("2 MW_BIND_ERR").state(QueuePairState.ERR);
        }
    }

    private static AccessFlag[] flags(String names) {
        return List.of(names.split(" ")).stream()
                .filter(name -> !name.isEmpty())
                .map(name -> name.equals("MW_BIND") ? MEMORY_WINDOW_BIND : AccessFlag.valueOf(name))
                .toArray(AccessFlag[]::new);
    }

    /** An unsignaled bind fails in these words; later requests are flushed. */
    private void refused(MemoryWindow window, MemoryWindowBinding binding, String words) {
        bind(7, window, binding, false);
        tape.post(Send.of(8)).sendDone("7 MW_BIND_ERR", "8 WR_FLUSH_ERR").state(QueuePairState.ERR);
        assertThat(tape.history(tape.sendQueue).get(0).cause()).contains(words);
    }

    @ParameterizedTest
    @EnumSource(MemoryWindowType.class)
    @DisplayName("§11.2: MW_BIND_ERR though unsignaled: a range beyond the region")
    void beyondTheRegion(MemoryWindowType type) {
        refused(of(type), part(8000, 193, REMOTE_READ), "193 bytes at 0x41f40 are not within");
    }

    @ParameterizedTest
    @EnumSource(MemoryWindowType.class)
    @DisplayName("§11.2: MW_BIND_ERR: a range before the region")
    void beforeTheRegion(MemoryWindowType type) {
        refused(of(type), part(-1, 8, REMOTE_READ), "are not within");
    }

    @Test
    @DisplayName("§11.2: MW_BIND_ERR: type 1 zero-based")
    void zeroBasedTypeOne() {
        refused(one, part(0, 8, REMOTE_READ, ZERO_BASED), "type 1 cannot be zero-based");
    }

    @Test
    @DisplayName("§11.2: MW_BIND_ERR: type 2 to 0 bytes")
    void nothingTypeTwo() {
        refused(two, part(0, 0, REMOTE_READ), "0 bytes");
    }

    @Test
    @DisplayName("§11.2: MW_BIND_ERR: type 2 when it is bound and was not invalidated; the bind that there is stays")
    void alreadyBound() {
        bind(1, two, part(0, 64, REMOTE_READ), false);
        refused(two, part(64, 64, REMOTE_READ), "was not invalidated");
        assertThatThrownBy(region::close).hasMessageContaining(two.toString());
    }

    @ParameterizedTest
    @EnumSource(MemoryWindowType.class)
    @DisplayName("§11.2: MW_BIND_ERR: a zero-based region")
    void zeroBasedRegion(MemoryWindowType type) {
        region.close();
        region = tape.domain.registerMemory(
                MemoryRegionConfig.of(bytes).zeroBased().access(LOCAL_WRITE, MEMORY_WINDOW_BIND, ZERO_BASED));
        refused(of(type), part(0, 8, REMOTE_READ), "is zero-based");
    }

    @Test
    @DisplayName("§11.2: MW_BIND_ERR: a key with the index of another window")
    void foreignKey() {
        tape.post(BindMemoryWindow.of(1, two, part(0, 8, REMOTE_READ), one.remoteKey()))
                .sendDone("1 MW_BIND_ERR");
        assertThat(tape.history(tape.sendQueue).get(0).cause()).contains("is not one of " + two);
    }

    @Test
    @DisplayName("§11.2: MW_BIND_ERR: atomics where an aligned address is no aligned word")
    void misalignedAtomics() {
        region.close();
        region = tape.register("odd", bytes, AT + 4, LOCAL_WRITE, MEMORY_WINDOW_BIND);
        refused(two, part(0, 64, REMOTE_ATOMIC), "modulo 8");
    }

    @Test
    @DisplayName("§11.2: MW_BIND_ERR: atomics through a zero-based window that begins between two words")
    void misalignedZeroBased() {
        refused(two, part(4, 64, REMOTE_ATOMIC, ZERO_BASED), "multiple of 8");
    }

    @Test
    @DisplayName("§11.2: MW_BIND_ERR: the window, or the region, was freed before the bind was executed")
    void goneBeforeItsTurn() {
        MemoryWindow third = tape.domain.allocateMemoryWindow(MemoryWindowType.TYPE_2);
        tape.qp.postSend(BindMemoryWindow.of(1, third, part(0, 8), third.remoteKey()));
        third.close();
        tape.run().sendDone("1 MW_BIND_ERR");
        reconnect();
        tape.qp.postSend(BindMemoryWindow.of(2, two, part(0, 8), two.remoteKey()));
        region.close();
        tape.run().sendDone("2 MW_BIND_ERR");
        assertThat(tape.history(tape.sendQueue).get(1).cause()).contains("deregistered");
    }

    @Test
    @DisplayName("§2 (conformance): domains: EPERM when they differ, MW_BIND_ERR when both are not the queue pair's")
    void otherDomain() {
        var other = tape.device.allocateProtectionDomain();
        MemoryRegion foreign = other.registerMemory(bytes, LOCAL_WRITE, MEMORY_WINDOW_BIND);
        MemoryWindow first = other.allocateMemoryWindow(MemoryWindowType.TYPE_1);
        MemoryWindow second = other.allocateMemoryWindow(MemoryWindowType.TYPE_2);
        MemoryWindowBinding toForeign = MemoryWindowBinding.of(foreign, 0, 8, REMOTE_READ);
        refusedCall(ErrorCode.EPERM, () -> tape.qp.bindMemoryWindow(1, one, toForeign, true));
        refusedCall(ErrorCode.EPERM, () -> tape.qp.bindMemoryWindow(1, first, part(0, 8), true));
        for (MemoryWindow window : List.of(first, second, two)) {
            refusedAlways(window, toForeign);
        }
        refusedAlways(second, part(0, 8));
        first.close();
        second.close();
        foreign.close();
        other.close();
    }

    private void refusedAlways(MemoryWindow window, MemoryWindowBinding binding) {
        bind(1, window, binding, false);
        tape.sendDone("1 MW_BIND_ERR");
        int last = tape.history(tape.sendQueue).size() - 1;
        assertThat(tape.history(tape.sendQueue).get(last).cause()).contains("another protection domain");
        reconnect();
    }

    private static void refusedCall(ErrorCode code, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        RdmaException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    @DisplayName("§11.2: each type is bound in its own way only: EINVAL")
    void wrongWay() {
        int before = one.remoteKey();
        refusedCall(ErrorCode.EINVAL, () -> tape.qp.bindMemoryWindow(1, two, part(0, 8), true));
        refusedCall(ErrorCode.EINVAL, () -> tape.qp.postSend(BindMemoryWindow.of(1, one, part(0, 8), before + 1)));
        assertThat(one.remoteKey()).isEqualTo(before);
    }

    @Test
    @DisplayName("§11.2: a bind refused when it is called changes no key")
    void refusedWhenPosted() {
        MemoryWindow closed = tape.domain.allocateMemoryWindow(MemoryWindowType.TYPE_1);
        closed.close();
        refusedCall(ErrorCode.EINVAL, () -> tape.qp.bindMemoryWindow(1, closed, part(0, 8), true));
        int before = one.remoteKey();
        tape.qp.modify(QueuePairAttributes.builder().state(QueuePairState.RESET).build());
        refusedCall(ErrorCode.EINVAL, () -> tape.qp.bindMemoryWindow(1, one, part(0, 8), true));
        assertThat(one.remoteKey()).isEqualTo(before);
    }
}
