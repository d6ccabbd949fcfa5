package io.rdma4j.core.engine;

import io.rdma4j.core.link.Arrival;
import io.rdma4j.core.link.DatagramHandler;
import io.rdma4j.core.link.Egress;
import io.rdma4j.core.link.Wakeup;
import io.rdma4j.core.memory.MemoryTable;
import io.rdma4j.core.qp.DeviceLimit;
import io.rdma4j.core.qp.DeviceLimits;
import io.rdma4j.core.qp.EngineCounters;
import io.rdma4j.core.qp.EngineLimits;
import io.rdma4j.core.qp.EngineServices;
import io.rdma4j.core.qp.PeerState;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.queue.CompletionRing;
import io.rdma4j.core.queue.Doorbells;
import io.rdma4j.core.queue.WakeFlag;
import io.rdma4j.core.rc.ReliableConnection;
import io.rdma4j.core.transport.Completions;
import io.rdma4j.core.transport.TransportService;
import io.rdma4j.core.transport.Turn;
import io.rdma4j.core.uc.UnreliableConnection;
import io.rdma4j.core.ud.UnreliableDatagram;
import io.rdma4j.verbs.AsyncEventType;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.QueuePairType;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The software HCA. It knows neither sockets nor clocks: datagrams and the time go in, frames go out through an
 * {@link Egress}, completions through completion rings.
 *
 * <p>One thread owns an engine and makes all calls but {@link #ring}. A driver calls {@link #onDatagram} for what it
 * receives and {@link #advance} after a burst, after a {@link Wakeup}, and when {@link #nextDeadlineNs} has come.
 */
public final class DeviceEngine implements DatagramHandler {
    /** The number of the only port. */
    private static final int PORT = 1;

    private final EngineConfig config;
    private final Wakeup wakeup;
    private final WakeFlag wakePending = new WakeFlag();
    private final Doorbells doorbells = new Doorbells();
    private final EngineCounters counters = new EngineCounters();
    private final MemoryTable memory;
    private final QpTable queuePairs;
    private final QpDeadlines deadlines = new QpDeadlines();
    private final ArrayDeque<QpContext> toRespond = new ArrayDeque<>();
    private final ArrayDeque<QpContext> toSend = new ArrayDeque<>();
    private final List<EventListener> listeners = new ArrayList<>();
    private final Ingress ingress;
    private final Completions completions;
    private final Map<QueuePairType, TransportService> transports = new EnumMap<>(QueuePairType.class);
    private final MulticastTable multicast;
    private final PeerTable peers;
    private final QpLifecycle lifecycle;
    private final ObjectNumbers objectNumbers;
    private boolean egressBlocked;
    private volatile boolean linkUp = true;

    public DeviceEngine(EngineConfig config, Wakeup wakeup) {
        this.config = config;
        this.wakeup = wakeup;
        DeviceLimits limits = config.limits();
        this.memory = new MemoryTable(
                limits.max(DeviceLimit.MAX_MR) + limits.max(DeviceLimit.MAX_MW), // they share the keys
                config.random());
        this.queuePairs = new QpTable(config.random());
        this.objectNumbers = new ObjectNumbers(limits);
        Services services = new Services();
        this.completions = new Completions(services);
        transports.put(QueuePairType.RC, new ReliableConnection(services, completions));
        transports.put(QueuePairType.UC, new UnreliableConnection(services, completions));
        transports.put(
                QueuePairType.UD,
                new UnreliableDatagram(services, completions, config.activeMtu().bytes()));
        this.multicast = new MulticastTable(config.gid(), limits);
        this.ingress = new Ingress(queuePairs, multicast, counters, transports, config);
        this.peers = new PeerTable(config.receiveBufferBytes());
        this.lifecycle = new QpLifecycle(services, queuePairs, deadlines, peers, completions, config.gid());
    }

    public EngineConfig config() {
        return config;
    }

    /** Readable from any thread. */
    public EngineCounters counters() {
        return counters;
    }

    /** The regions of the device. Owner thread. */
    public MemoryTable memory() {
        return memory;
    }

    /** Creation, state changes and destruction of queue pairs. Owner thread. */
    public QpLifecycle lifecycle() {
        return lifecycle;
    }

    /** Multicast groups and their members. Owner thread. */
    public MulticastTable multicast() {
        return multicast;
    }

    /**
     * A queue pair as the engine sees it, for those who check its accounts or speak in its name; null when there is none.
     * Owner thread.
     */
    public @Nullable QpContext queuePair(int number) {
        return queuePairs.find(number);
    }

    /** Numbers and counts of the objects of all contexts. Owner thread. */
    public ObjectNumbers objectNumbers() {
        return objectNumbers;
    }

    /** Owner thread. */
    public void addListener(EventListener listener) {
        listeners.add(listener);
    }

    /** Owner thread. */
    public void removeListener(EventListener listener) {
        listeners.remove(listener);
    }

    /** Says that the link is lost for good. Owner thread. */
    public void linkLost() {
        raise(AsyncEventType.DEVICE_FATAL, 0);
    }

    /**
     * Says that the cable is pulled, or back: the port's state changes and every context hears of it (§10). What becomes
     * of frames meanwhile is the link's business, and queue pairs go on trying. Says nothing new twice. Owner thread.
     */
    public void linkState(boolean up) {
        if (up != linkUp) {
            linkUp = up;
            raise(up ? AsyncEventType.PORT_ACTIVE : AsyncEventType.PORT_ERR, PORT);
        }
    }

    /** Whether the port is ACTIVE. Any thread. */
    public boolean isLinkUp() {
        return linkUp;
    }

    /** Says that the system refused to send to a peer, and why; a later RETRY_EXC_ERR names it. Owner thread. */
    public void sendRefused(Gid remote, String error) {
        PeerState peer = peers.find(remote);
        if (peer != null) {
            peer.sendError = error;
        }
    }

    /** Says that a queue pair has new work. Any thread. */
    public void ring(QpContext qp) {
        if (doorbells.ring(qp) && wakePending.raise()) {
            wakeup.wake();
        }
    }

    @Override
    public void onDatagram(ByteBuffer buffer, int offset, int length, Arrival arrival, long nowNs) {
        ingress.onDatagram(buffer, offset, length, arrival, nowNs);
    }

    /**
     * Does what is due, within bounds: doorbells, deadlines, responses, requests.
     *
     * @return how much was done; 0 when nothing was
     */
    public int advance(long nowNs, Egress egress) {
        egressBlocked = false;
        // Clear first, then look: a ring that comes after the look wakes again.
        wakePending.clear();
        int work = answerDoorbells();
        work += expireDeadlines(nowNs);
        for (int turn = 0; turn < EngineLimits.MAX_TURNS_PER_ADVANCE && !egressBlocked; turn++) {
            QpContext qp = toRespond.poll();
            if (qp == null) {
                break;
            }
            qp.respondReady = false;
            if (isUnfinished(transportOf(qp).serveResponses(qp, egress))) {
                markRespond(qp);
            }
            work++;
        }
        for (int turn = 0; turn < EngineLimits.MAX_TURNS_PER_ADVANCE && !egressBlocked; turn++) {
            QpContext qp = toSend.poll();
            if (qp == null) {
                break;
            }
            qp.sendReady = false;
            if (isUnfinished(transportOf(qp).serveRequests(qp, egress, nowNs))) {
                markSend(qp);
            }
            admitNext(qp);
            work++;
        }
        return work;
    }

    /**
     * When {@link #advance} must be called even if nothing happens: now ({@link Long#MIN_VALUE}) when it stopped at a
     * bound, {@link EngineLimits#NO_DEADLINE} when nothing is due. What the link refused waits for the link.
     */
    public long nextDeadlineNs() {
        boolean unfinished = !toRespond.isEmpty() || !toSend.isEmpty();
        if ((unfinished && !egressBlocked) || !doorbells.isEmpty()) {
            return Long.MIN_VALUE;
        }
        return deadlines.earliestNs();
    }

    private int answerDoorbells() {
        int work = 0;
        Doorbells.Entry entry = doorbells.takeAll();
        while (entry != null) {
            QpContext qp = (QpContext) entry;
            entry = qp.unlinkAndDisarm();
            if (qp.state() == QueuePairState.ERR) {
                completions.flush(qp);
            } else if (qp.state() == QueuePairState.SQE) {
                completions.flushSends(qp);
            } else if (qp.state() == QueuePairState.RTS) {
                markSend(qp);
            } // elsewhere nothing new is sent; SQD goes through it all when it returns to RTS
            work++;
        }
        return work;
    }

    private int expireDeadlines(long nowNs) {
        int work = 0;
        while (work < EngineLimits.MAX_EXPIRIES_PER_ADVANCE) {
            QpContext qp = deadlines.pollExpired(nowNs);
            if (qp == null) {
                break;
            }
            transportOf(qp).onDeadline(qp, nowNs);
            deadlines.update(qp);
            work++;
        }
        return work;
    }

    /** Whether a queue pair is to have another turn; notes when it is the link that it waits for. */
    private boolean isUnfinished(Turn turn) {
        egressBlocked = turn == Turn.BLOCKED;
        return turn != Turn.IDLE;
    }

    private TransportService transportOf(QpContext qp) {
        return Objects.requireNonNull(transports.get(qp.type()));
    }

    /** Whether the device offers queue pairs of this type. Any thread. */
    public boolean offers(QueuePairType type) {
        return transports.containsKey(type);
    }

    private void raise(AsyncEventType type, int number) {
        for (EventListener listener : listeners) {
            listener.onEvent(type, number);
        }
    }

    private void markSend(QpContext qp) {
        if (!qp.sendReady) {
            qp.sendReady = true;
            toSend.add(qp);
        }
    }

    private void markRespond(QpContext qp) {
        if (!qp.respondReady) {
            qp.respondReady = true;
            toRespond.add(qp);
        }
    }

    /** Budget that a queue pair left goes to the next that waits for it. */
    private void admitNext(QpContext qp) {
        PeerState peer = qp.peer;
        if (peer == null) {
            return;
        }
        @Nullable QpContext next = peer.nextAdmitted();
        if (next != null) {
            markSend(next);
        }
    }

    /** What the transports see of this engine. */
    private final class Services implements EngineServices {
        @Override
        public MemoryTable memory() {
            return memory;
        }

        @Override
        public EngineCounters counters() {
            return counters;
        }

        @Override
        public void readyToSend(QpContext qp) {
            markSend(qp);
        }

        @Override
        public void readyToRespond(QpContext qp) {
            markRespond(qp);
        }

        @Override
        public void deadlineChanged(QpContext qp) {
            deadlines.update(qp);
        }

        @Override
        public void budgetFreed(QpContext qp) {
            admitNext(qp);
        }

        @Override
        public void leaveGroups(QpContext qp) {
            multicast.leaveAll(qp);
        }

        @Override
        public void event(AsyncEventType type, int number) {
            raise(type, number);
        }

        @Override
        public void completionOverrun(CompletionRing ring) {
            event(AsyncEventType.CQ_ERR, ring.number());
            queuePairs.forEach(qp -> {
                boolean affected = qp.parts.sendCompletions() == ring || qp.parts.receiveCompletions() == ring;
                if (affected && qp.state() != QueuePairState.RESET) { // §9: no way leads from RESET to ERR
                    completions.failByOverrun(qp);
                }
            });
        }
    }
}
