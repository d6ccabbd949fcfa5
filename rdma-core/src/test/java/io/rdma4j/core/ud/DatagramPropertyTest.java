package io.rdma4j.core.ud;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.tape.PacketText;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.wire.DropReason;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Arbitrary datagrams, most of them legal at first and then mutated: nothing throws, nothing is answered, nothing is written
 * beside the receives, each is either dropped and counted or takes one receive, and the queue pair goes on.
 */
class DatagramPropertyTest {
    private static final int DATAGRAMS = 40;
    private static final int REGION = 2048;
    private static final int GUARD = 512;
    private static final byte GUARD_BYTE = (byte) 0xEE;

    private static final List<String> SHAPES = List.of(
            "UD_SEND_ONLY psn=%d qkey=0x12345678 src=%d len=%d",
            "UD_SEND_ONLY_WITH_IMMEDIATE psn=%d qkey=0x12345678 imm=%d len=%d SE",
            "UD_SEND_ONLY psn=%d qkey=%d len=%d",
            "SEND_ONLY psn=%d len=%3$d A",
            "UC_SEND_ONLY psn=%d len=%3$d",
            "0x6a psn=%d len=%3$d");

    @Property(tries = 100)
    void survivesMutatedDatagrams(@ForAll long seed) {
        Random random = new Random(seed);
        ByteBuffer memory = ByteBuffer.allocateDirect(GUARD + REGION + GUARD);
        for (int i = 0; i < memory.capacity(); i++) {
            memory.put(i, GUARD_BYTE);
        }
        try (Tape tape = DatagramTape.start();
                MemoryRegion region =
                        tape.register("r", memory.slice(GUARD, REGION), 0x40000, AccessFlag.LOCAL_WRITE)) {
            ByteBuffer datagram = ByteBuffer.allocateDirect(8192);
            int taken = 0;
            for (int i = 0; i < DATAGRAMS; i++) {
                if (random.nextBoolean()) {
                    tape.receive(i, region.slice(0, random.nextInt(REGION)));
                }
                long dropped = drops(tape);
                feed(tape, datagram, bytes(tape, random), random.nextInt(10) != 0);
                tape.out().events().state(QueuePairState.RTS);
                int completed = completions(tape) - taken;
                assertThat(completed + drops(tape) - dropped).isEqualTo(1);
                taken += completed;
            }
            for (int i = 0; i < GUARD; i++) {
                assertThat(memory.get(i)).isEqualTo(GUARD_BYTE);
                assertThat(memory.get(GUARD + REGION + i)).isEqualTo(GUARD_BYTE);
            }
        }
    }

    private static byte[] bytes(Tape tape, Random random) {
        if (random.nextInt(8) == 0) {
            byte[] noise = new byte[random.nextInt(300)];
            random.nextBytes(noise);
            return noise;
        }
        String shape = SHAPES.get(random.nextInt(SHAPES.size()) * random.nextInt(2));
        String line = String.format(shape, random.nextInt(1 << 24), random.nextInt(1 << 24), random.nextInt(2500));
        ByteBuffer packet = ByteBuffer.allocate(4096);
        int length = PacketText.write(line, tape.qp.number(), Map.of(), packet);
        byte[] bytes = Arrays.copyOf(packet.array(), length + random.nextInt(2) * (random.nextInt(9) - 4));
        for (int flips = random.nextInt(4) - 2; flips > 0; flips--) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return bytes;
    }

    private static void feed(Tape tape, ByteBuffer datagram, byte[] bytes, boolean sealed) {
        datagram.put(0, bytes);
        datagram.putInt(bytes.length, 0);
        if (sealed && bytes.length >= 12) {
            tape.seal(datagram, bytes.length);
        }
        tape.inRaw(datagram, 0, bytes.length + 4);
    }

    private static long drops(Tape tape) {
        return Arrays.stream(DropReason.values()).mapToLong(tape::count).sum();
    }

    /** Everything completed so far: received, or too long for its receive. */
    private static int completions(Tape tape) {
        tape.forget();
        List<WorkCompletion> all = tape.history(tape.receiveQueue);
        assertThat(all).allSatisfy(done -> {
            assertThat(done.status()).isIn(WorkCompletionStatus.SUCCESS, WorkCompletionStatus.LOC_LEN_ERR);
            assertThat(done.byteLength()).isLessThanOrEqualTo(REGION);
        });
        return all.size();
    }
}
