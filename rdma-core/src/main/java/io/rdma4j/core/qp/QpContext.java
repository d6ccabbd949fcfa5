package io.rdma4j.core.qp;

import io.rdma4j.core.link.Path;
import io.rdma4j.core.memory.KeyUser;
import io.rdma4j.core.memory.WindowList;
import io.rdma4j.core.queue.CompletionRing;
import io.rdma4j.core.queue.Doorbells;
import io.rdma4j.core.queue.ReceiveQueue;
import io.rdma4j.core.queue.SendQueue;
import io.rdma4j.core.queue.SharedReceiveRing;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.QueuePairType;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair as the engine sees it: state without logic. Written by the owner thread alone; {@link #state} may be read
 * by any.
 */
public final class QpContext extends Doorbells.Entry implements KeyUser {
    /** What a queue pair is made of, fixed at creation; with a shared receive queue its own has no room. */
    public record Parts(
            int number,
            QueuePairType type,
            int protectionDomain,
            SendQueue sendQueue,
            ReceiveQueue receiveQueue,
            CompletionRing sendCompletions,
            CompletionRing receiveCompletions,
            @Nullable SharedReceiveRing sharedReceives) {}

    public final Parts parts;
    public final boolean signalAll;
    public final SendState send = new SendState();
    public final ReceiveState receive;
    public final QpAttributes attributes = new QpAttributes();

    private final WindowList windows = new WindowList();

    /** Who made it and hears its events, when several share the engine. */
    public @Nullable Object owner;

    private volatile QueuePairState state = QueuePairState.RESET;

    /** Set from INIT to RTR on. */
    public @Nullable Path path;

    public @Nullable PeerState peer;

    /** How many multicast groups it is in (§14). */
    public int multicastGroups;

    /** The first failure of this queue pair in words; empty while there was none. */
    public String firstError = "";

    /** Whether this queue pair waits in its peer's list, and for how much. */
    boolean awaitsBudget;

    long wantedBytes;
    int wantedPackets;

    /** Its wait has ended, so that the next turn is its own though others wait. */
    boolean hasTurn;

    /** Book-keeping of the engine's ready lists and of its deadline heap. */
    public boolean sendReady;

    public boolean respondReady;
    public int heapIndex = -1;
    public long armedDeadlineNs = EngineLimits.NO_DEADLINE;

    public QpContext(Parts parts, boolean signalAll) {
        this.parts = parts;
        this.signalAll = signalAll;
        SharedReceiveRing shared = parts.sharedReceives();
        this.receive = new ReceiveState(shared == null ? null : shared.newEntry());
    }

    @Override
    public int number() {
        return parts.number();
    }

    @Override
    public int protectionDomain() {
        return parts.protectionDomain();
    }

    @Override
    public WindowList windows() {
        return windows;
    }

    /** The domain that the keys of its receives belong to (§12). */
    public int receiveDomain() {
        SharedReceiveRing shared = parts.sharedReceives();
        return shared == null ? parts.protectionDomain() : shared.protectionDomain();
    }

    public QueuePairType type() {
        return parts.type();
    }

    public SendQueue sendQueue() {
        return parts.sendQueue();
    }

    public ReceiveQueue receiveQueue() {
        return parts.receiveQueue();
    }

    public QueuePairState state() {
        return state;
    }

    public void state(QueuePairState newState) {
        state = newState;
    }

    /** Whether the requester is alive: in RTS, and in SQD for what was started before (§9). */
    public boolean isRequesting() {
        QueuePairState now = state;
        return now == QueuePairState.RTS || now == QueuePairState.SQD;
    }

    /** When {@code advance} must look at this queue pair even if nothing happens. */
    public long deadlineNs() {
        return Math.min(send.timerNs, send.rnrTimerNs);
    }
}
