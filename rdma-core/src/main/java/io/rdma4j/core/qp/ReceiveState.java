package io.rdma4j.core.qp;

import io.rdma4j.core.queue.ReceiveWorkEntry;
import org.jspecify.annotations.Nullable;

/** What a responder knows (§5, §7). */
public final class ReceiveState {
    /** No acknowledgement of this kind is due. */
    public static final int NO_SYNDROME = -1;

    /** The kind of message in progress: what a MIDDLE or LAST may continue. */
    public enum Message {
        NONE,
        SEND,
        RDMA_WRITE
    }

    public int expectedPsn;
    public int msn;
    public Message message = Message.NONE;

    /** Next receive to consume. */
    public long head;
    /** The receive that the message in progress fills, null when it uses none. */
    public @Nullable ReceiveWorkEntry current;

    /** Where a receive from the shared receive queue is until it completes; null where the receives are its own. */
    public final @Nullable ReceiveWorkEntry shared;

    /** Whether there is one: for the message in progress, or kept for the next one (§8.4). */
    public boolean holdsShared;

    /** Bytes of the message in progress placed so far. */
    public long placed;

    /** The RDMA WRITE in progress: the key, and where its next byte goes. */
    public int writeKey;

    public long writeAddress;
    public long writeRemaining;

    /** Bytes of that WRITE in all, which is what a completion with immediate data tells. */
    public long writeLength;

    /** A positive acknowledgement up to expectedPsn - 1 is due. */
    public boolean ackDue;

    /** A NAK is due (its syndrome) for {@link #nakPsn}; sent when the answers before it are out. */
    public int nakSyndrome = NO_SYNDROME;

    public int nakPsn;

    /** A sequence or RNR NAK is out: silence until the expected PSN has come (§5, §7.5). */
    public boolean nakOutstanding;

    /** The first packet in RTR was seen (COMM_EST). */
    public boolean established;

    public ReadAtomicSlots slots = new ReadAtomicSlots(0);

    ReceiveState(@Nullable ReceiveWorkEntry shared) {
        this.shared = shared;
    }

    public void start(int psn, int maxDestinationReadAtomic) {
        expectedPsn = psn;
        msn = 0;
        slots = new ReadAtomicSlots(maxDestinationReadAtomic);
    }

    /** A NAK becomes due, in place of one that was. */
    public void oweNak(int syndrome, int psn) {
        nakSyndrome = syndrome;
        nakPsn = psn;
    }

    public boolean hasDue() {
        return ackDue || nakSyndrome != NO_SYNDROME || slots.nextDue() != null;
    }

    /** Nothing that was due goes out any more. */
    public void cancelDue() {
        ackDue = false;
        nakSyndrome = NO_SYNDROME;
        slots.cancelAll();
    }

    public void endMessage() {
        message = Message.NONE;
        current = null;
        placed = 0;
        writeRemaining = 0;
    }

    public void reset() {
        endMessage();
        start(0, 0);
        head = 0;
        ackDue = false;
        nakSyndrome = NO_SYNDROME;
        nakOutstanding = false;
        established = false;
    }
}
