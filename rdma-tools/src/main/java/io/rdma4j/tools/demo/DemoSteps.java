package io.rdma4j.tools.demo;

import io.rdma4j.tools.demo.DemoStep.Measured;
import io.rdma4j.tools.text.ProgressBar;
import io.rdma4j.tools.text.Units;
import io.rdma4j.verbs.FetchAndAdd;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.SendRequest;
import io.rdma4j.verbs.WorkCompletion;
import io.rdma4j.verbs.WorkCompletionOpcode;
import io.rdma4j.verbs.WorkCompletionStatus;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/**
 * What the first process does to the memory of the second. Each step compares what this side sees with what the other
 * side reports of its own memory, so that neither vouches for itself.
 */
final class DemoSteps {
    private static final long REQUEST_ID = 2;
    private static final int FAULT_BYTES = 4096;
    private static final int FAULT_INSIDE = 8;

    private final DemoNode node;
    private final PeerProcess peer;
    private final long peerAddress;
    private final int peerKey;
    private final Function<String, ProgressBar> progress;

    /**
     * Steps against a peer that has told where its memory is.
     *
     * @param progress gives the bar of a long step from its label
     */
    DemoSteps(DemoNode node, PeerProcess peer, PeerMessage introduction, Function<String, ProgressBar> progress) {
        this.node = node;
        this.peer = peer;
        this.peerAddress = introduction.number("address");
        this.peerKey = (int) introduction.number("key");
        this.progress = progress;
    }

    /** A greeting by SEND, and an answer that repeats it. No time is taken: it would tell of two JVMs that warm up. */
    DemoStep greet() {
        String greeting = "hello from process " + ProcessHandle.current().pid();
        node.postGreetingReceive();
        peer.tell(PeerMessage.of("greet"));
        long answerLength = -1;
        node.sendGreeting(greeting);
        for (int i = 0; i < 2; i++) { // the end of our SEND and the arrival of theirs, in either order
            WorkCompletion completion = node.awaitSuccess();
            if (completion.opcode() == WorkCompletionOpcode.RECV) {
                answerLength = completion.byteLength();
            }
        }
        String heard = peer.expect("greeted").text("text");
        String answer = answerLength < 0 ? "" : node.receivedGreeting(answerLength);
        boolean verified = heard.equals(greeting) && answer.equals(DemoPeerCommand.reply(greeting));
        return DemoStep.untimed("SEND/RECV greeting", verified, "the answer: \"" + answer + "\"");
    }

    /** One RDMA WRITE of all the data, compared by the checksums that both sides compute of their own memory. */
    DemoStep write() {
        fillWithRandomBytes(node.memory().slice(DemoLayout.DATA_OFFSET, DemoLayout.DATA_BYTES));
        long before = peerChecksum();
        ScatterGatherElement data = node.region().slice(DemoLayout.DATA_OFFSET, DemoLayout.DATA_BYTES);
        long nanos = transfer(
                "RDMA WRITE",
                "sent_packets",
                RdmaWrite.of(REQUEST_ID, data).to(peerAddress, peerKey).signaled());
        long here = node.checksum(DemoLayout.DATA_OFFSET, DemoLayout.DATA_BYTES);
        long there = peerChecksum();
        return new DemoStep(
                "RDMA WRITE " + Units.bytes(DemoLayout.DATA_BYTES),
                here == there && before != there,
                Units.format("CRC-32C 0x%08x here and 0x%08x in the peer (0x%08x before)", here, there, before),
                Measured.single(DemoLayout.DATA_BYTES, nanos));
    }

    /** One RDMA READ of all the data into other memory, compared with what the peer has. */
    DemoStep readBack() {
        ScatterGatherElement target = node.region().slice(DemoLayout.READ_BACK_OFFSET, DemoLayout.DATA_BYTES);
        long nanos = transfer(
                "RDMA READ",
                "received_packets",
                RdmaRead.of(REQUEST_ID, target).from(peerAddress, peerKey).signaled());
        long read = node.checksum(DemoLayout.READ_BACK_OFFSET, DemoLayout.DATA_BYTES);
        long written = node.checksum(DemoLayout.DATA_OFFSET, DemoLayout.DATA_BYTES);
        return new DemoStep(
                "RDMA READ " + Units.bytes(DemoLayout.DATA_BYTES),
                read == written && read == peerChecksum(),
                Units.format("CRC-32C 0x%08x of what was read and 0x%08x of what was written", read, written),
                Measured.single(DemoLayout.DATA_BYTES, nanos));
    }

    /** Atomic increments one after the other: each has to bring back the value that the one before left. */
    DemoStep increment() {
        Histogram latency = Measured.histogram();
        ScatterGatherElement result = node.region().slice(DemoLayout.COUNTER_OFFSET, DemoLayout.COUNTER_BYTES);
        FetchAndAdd increment = FetchAndAdd.of(REQUEST_ID, result, 1)
                .at(peerAddress + DemoLayout.COUNTER_OFFSET, peerKey)
                .signaled();
        int inOrder = 0;
        long start = System.nanoTime();
        long last = start;
        for (int i = 0; i < DemoLayout.ATOMIC_INCREMENTS; i++) {
            node.main().postSend(increment);
            node.awaitSuccess();
            long now = System.nanoTime();
            latency.recordValue(now - last);
            last = now;
            if (node.region().longAcquire(DemoLayout.COUNTER_OFFSET) == i) {
                inOrder++;
            }
        }
        long counter = peer.ask(PeerMessage.of("counter"), "counter").number("value");
        return new DemoStep(
                Units.format("%,d atomic increments", DemoLayout.ATOMIC_INCREMENTS),
                inOrder == DemoLayout.ATOMIC_INCREMENTS && counter == DemoLayout.ATOMIC_INCREMENTS,
                Units.format("the peer's counter is %,d, and %,d old values came in order", counter, inOrder),
                new Measured(
                        DemoLayout.ATOMIC_INCREMENTS,
                        (long) DemoLayout.ATOMIC_INCREMENTS * DemoLayout.COUNTER_BYTES,
                        last - start,
                        latency));
    }

    /** A WRITE that begins inside the peer's region and ends outside of it: the peer has to refuse all of it. */
    DemoStep provokeAccessError() {
        long before = peerChecksum(0, DemoLayout.PEER_BYTES);
        node.fault()
                .postSend(RdmaWrite.of(REQUEST_ID, node.region().slice(DemoLayout.DATA_OFFSET, FAULT_BYTES))
                        .to(peerAddress + DemoLayout.PEER_BYTES - FAULT_INSIDE, peerKey)
                        .signaled());
        WorkCompletion completion = node.awaitCompletion();
        boolean refused = completion.status() == WorkCompletionStatus.REM_ACCESS_ERR;
        boolean unharmed = before == peerChecksum(0, DemoLayout.PEER_BYTES);
        return DemoStep.untimed(
                "deliberate access error",
                refused && unharmed,
                Units.format(
                        "a WRITE of %,d bytes, %d before the end of the peer's memory: %s, %s; the peer's memory %s",
                        FAULT_BYTES,
                        FAULT_INSIDE,
                        completion.status(),
                        completion.cause(),
                        unharmed ? "is as it was" : "HAS CHANGED"));
    }

    /**
     * Runs one long request under a progress bar.
     *
     * @param packetCounter the device's counter of the packets that carry the data
     * @return the time from post to completion in nanoseconds
     */
    private long transfer(String label, String packetCounter, SendRequest request) {
        ProgressBar bar = progress.apply(label);
        long before = packets(packetCounter);
        int packetBytes = node.device().port().activeMtu().bytes();
        long start = System.nanoTime();
        node.main().postSend(request);
        node.awaitSuccess(() -> bar.update((packets(packetCounter) - before) * packetBytes, System.nanoTime()));
        long nanos = System.nanoTime() - start;
        bar.clear();
        return nanos;
    }

    private long packets(String counter) {
        return node.device().counters().getOrDefault(counter, 0L);
    }

    /** What the peer computes of its data. */
    private long peerChecksum() {
        return peerChecksum(DemoLayout.DATA_OFFSET, DemoLayout.DATA_BYTES);
    }

    private long peerChecksum(int offset, int length) {
        PeerMessage question = PeerMessage.of("checksum")
                .with("offset", Integer.toHexString(offset))
                .with("length", Integer.toHexString(length));
        return peer.ask(question, "checksum").number("value");
    }

    /** Other bytes in each run, so that memory left over from an earlier one cannot pass for them. */
    private static void fillWithRandomBytes(ByteBuffer target) {
        SplittableRandom random = new SplittableRandom();
        while (target.hasRemaining()) {
            target.putLong(random.nextLong());
        }
    }
}
