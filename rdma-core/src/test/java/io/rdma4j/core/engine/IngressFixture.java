package io.rdma4j.core.engine;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.core.wire.Icrc;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.FetchAndAdd;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.Send;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A queue pair in RTS with something of every kind outstanding, to be fed with arbitrary datagrams. Its memory lies between
 * guard bytes; packets may read and write the region and nothing beside it.
 */
final class IngressFixture implements AutoCloseable {
    static final long ADDRESS = 0x40000;
    static final int REGION = 4096;
    private static final int GUARD = 512;
    private static final byte GUARD_BYTE = (byte) 0xEE;
    private static final int RECEIVES = 8;

    /** A READ answers with at most this many bytes for a request, so the frames of one datagram are bounded. */
    private static final int MAX_FRAMES = REGION / 256 + 64;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(GUARD + REGION + GUARD);
    private final ByteBuffer datagram = ByteBuffer.allocateDirect(8192);
    private final MemoryRegion target;
    private int expectedPsn = Tape.EXPECTED_PSN;
    final Tape tape = new TapeSetup().start();

    IngressFixture() {
        for (int i = 0; i < memory.capacity(); i++) {
            memory.put(i, GUARD_BYTE);
        }
        ByteBuffer middle = memory.slice(GUARD, REGION);
        target = tape.register(
                "target",
                middle,
                ADDRESS,
                AccessFlag.LOCAL_WRITE,
                AccessFlag.REMOTE_READ,
                AccessFlag.REMOTE_WRITE,
                AccessFlag.REMOTE_ATOMIC);
        post();
    }

    private void post() {
        for (int i = 0; i < RECEIVES; i++) {
            tape.receive(i, target.slice(0, 1000));
        }
        tape.post(
                Send.of(1, target.slice(0, 300)).signaled(),
                RdmaRead.of(2, target.slice(512, 700)).from(0x8000, 1).signaled(),
                FetchAndAdd.of(3, target.slice(8, 8), 1).at(0x8000, 1).signaled(),
                RdmaWrite.of(4, target.slice(0, 10)).to(0x8000, 1).signaled());
        tape.sent();
    }

    int key() {
        return target.remoteKey();
    }

    /**
     * Feeds one datagram. Its PSN may be any; the queue pair expects {@value Tape#EXPECTED_PSN} at first and again after
     * each failure.
     *
     * @param bytes from the BTH to the pad
     * @param connected whether the destination queue pair is set right first, so that more gets past the door
     * @param sealed whether the ICRC is made right
     */
    void feed(byte[] bytes, boolean connected, boolean sealed) {
        int length = Math.min(bytes.length, datagram.capacity() - 4);
        datagram.put(0, bytes, 0, length);
        datagram.putInt(length, 0);
        if (connected && length >= 8) {
            int qp = tape.qp.number();
            datagram.putInt(4, datagram.getInt(4) & 0xFF000000 | qp);
        }
        if (sealed && length >= 12) {
            tape.seal(datagram, length);
        } else if (length >= 12) {
            Icrc.write(datagram, length, 0x12345678);
        }
        tape.inRaw(datagram, 0, length + 4);
        List<String> answer = tape.sent();
        answer.forEach(this::learn);
        if (answer.size() > MAX_FRAMES) {
            throw new AssertionError("one datagram of " + length + " bytes made the engine send without bound");
        }
        checkGuards();
        if (tape.qp.state() == QueuePairState.ERR) {
            revive();
            post();
        }
    }

    /** The PSN that the queue pair expects next, as far as its answers have told. */
    int expectedPsn() {
        return expectedPsn;
    }

    private void learn(String frame) {
        String[] words = frame.split("[ =]");
        if (words[0].startsWith("ACK") || words[0].startsWith("ATOMIC_ACK") || words[0].startsWith("READ_RESPONSE")) {
            expectedPsn = Integer.parseInt(words[2]) + (frame.contains("syn=0x60") ? 0 : 1);
        }
    }

    /** A failed queue pair takes nothing more; what comes next meets one that is as at first. */
    private void revive() {
        TapeSetup setup = new TapeSetup();
        tape.qp.modify(setup.attributes(QueuePairState.RESET));
        setup.connect(tape.qp);
        expectedPsn = Tape.EXPECTED_PSN;
    }

    private void checkGuards() {
        for (int i = 0; i < GUARD; i++) {
            if (memory.get(i) != GUARD_BYTE || memory.get(GUARD + REGION + i) != GUARD_BYTE) {
                throw new AssertionError("a packet wrote beside the region");
            }
        }
        for (int i = 0; i < 64; i++) {
            if (tape.bytes.get(i) != 0 || tape.bytes.get(Tape.REGION_BYTES - 1 - i) != 0) {
                throw new AssertionError("a packet wrote to a region that it did not name");
            }
        }
    }

    /** Whatever came, the queue pair is in a state that exists and can be used anew. */
    @Override
    public void close() {
        QueuePairState state = tape.qp.state();
        if (state != QueuePairState.RTS) {
            throw new AssertionError("a packet moved the queue pair to " + state);
        }
        tape.elapse(2_000 * Tape.MS);
        revive();
        tape.forget();
        tape.receive(9, target.slice(0, 8)).in("SEND_ONLY psn=500 len=8 A");
        tape.out("ACK psn=500 syn=0x1f msn=1").receiveDone("9 SUCCESS RECV 8");
        target.close();
        tape.close();
    }
}
