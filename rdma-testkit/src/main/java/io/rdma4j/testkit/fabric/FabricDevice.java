package io.rdma4j.testkit.fabric;

import io.rdma4j.core.device.DeviceDriver;
import io.rdma4j.core.device.SoftDevice;
import io.rdma4j.core.engine.DeviceEngine;
import io.rdma4j.core.engine.EngineConfig;
import io.rdma4j.core.link.Arrival;
import io.rdma4j.core.link.Path;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.wire.Syndrome;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.RdmaException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * A device on the fabric and its driver: the engine gets its datagrams, turns and deadlines from the fabric's events.
 * Everything runs on the thread that made the fabric; a command runs at once, its consequences in the next events.
 */
public final class FabricDevice {
    /** A burst of datagrams ends here at the latest, as in a real driver (architecture §2). */
    private static final int MAX_BURST_DATAGRAMS = 64;

    private static final int MAX_BURST_BYTES = 256 << 10;
    private static final long NOT_ARMED = Long.MAX_VALUE;

    private final Fabric fabric;
    private final String name;
    private final Gid gid;
    private final FabricLink link;
    private final DeviceEngine engine;
    private final SoftDevice device;
    private final Driver driver = new Driver();
    private final Map<FabricDevice, Direction> directions = new HashMap<>();
    private final Arrival arrival = new Arrival();

    private final RandomGenerator random;

    private long lateTurnsNs;
    private long turns;
    private boolean closed;
    private boolean insideEngine;
    private boolean turnRequested;
    private long armedNs = NOT_ARMED;
    private int burstDatagrams;
    private int burstBytes;
    private long received;
    private int previousIdentification;

    FabricDevice(Fabric fabric, String name, EngineConfig config) {
        this.fabric = fabric;
        this.name = name;
        this.gid = config.gid();
        this.random = config.random();
        this.link = new FabricLink(fabric, this, sourcePort(gid, random), random);
        this.engine = new DeviceEngine(config, this::requestTurn);
        this.device = new SoftDevice(name, engine, driver);
    }

    /** Devices at the standard port send from it or, as rdma_rxe does, from a port above 0xC000; both are legal (§1). */
    private static int sourcePort(Gid gid, RandomGenerator random) {
        int entropy = 0xC000 | random.nextInt(1 << 14);
        boolean standard = gid.devicePort() == Gid.ROCE_PORT;
        return standard && random.nextBoolean() ? entropy : gid.devicePort();
    }

    public String name() {
        return name;
    }

    public Gid gid() {
        return gid;
    }

    /** The device as its users see it. */
    public RdmaDevice rdma() {
        return device;
    }

    /**
     * Makes the link refuse claims, as a socket does whose buffer is full.
     *
     * @param probability that a claim finds the buffer full; it stays so for a few microseconds
     */
    public void refuseClaims(double probability) {
        link.refusal(probability);
    }

    /**
     * Makes the driver come late to its turns, as an event loop does that is busy with something else: to deadlines, and to
     * what it was woken for.
     *
     * @param maxNs up to how much later than it should, in nanoseconds; 0 for in time
     */
    public void lateTurns(long maxNs) {
        lateTurnsNs = maxNs;
    }

    /**
     * Pulls the cable: what the device sends is lost, and what is sent to it, frames under way included; claims succeed.
     * The port goes to DOWN and the device gets PORT_ERR (§10). Queue pairs find out by their timers.
     */
    public void linkDown() {
        linkState(false);
    }

    /** Puts the cable back: the port goes to ACTIVE and the device gets PORT_ACTIVE (§10). */
    public void linkUp() {
        linkState(true);
    }

    private void linkState(boolean up) {
        fabric.requireOwner();
        engine.linkState(up);
    }

    public boolean isLinkUp() {
        return engine.isLinkUp();
    }

    /** How often the driver has called {@code advance} so far: a device that has nothing to do has no turns. */
    public long turns() {
        return turns;
    }

    @Override
    public String toString() {
        return name;
    }

    void heal() {
        refuseClaims(0);
        lateTurns(0);
        linkUp();
    }

    /** What is wrong with the device itself, one line each; empty when nothing is. */
    String describeFaults() {
        StringBuilder text = new StringBuilder();
        if (!isLinkUp()) {
            text.append(name).append(": link down\n");
        }
        if (link.refusal() > 0) {
            text.append(name)
                    .append(": refuses claims with probability ")
                    .append(link.refusal())
                    .append('\n');
        }
        if (lateTurnsNs > 0) {
            text.append(name).append(": turns up to ").append(lateTurnsNs).append(" ns late\n");
        }
        return text.toString();
    }

    /** Answers a request in the responder's name; nothing goes out where no connected queue pair could have answered. */
    void forgeNak(FrameView request, int syndrome) {
        QpContext qp = closed ? null : engine.queuePair(request.queuePair());
        Path path = qp == null ? null : qp.path;
        if (qp != null && path != null) {
            boolean gap = syndrome == Syndrome.NAK_SEQUENCE_ERROR; // §5: its PSN is the expected one
            link.forgeAcknowledge(qp, path, gap ? qp.receive.expectedPsn : request.psn(), syndrome);
        }
    }

    DeviceDriver driver() {
        return driver;
    }

    FabricLink link() {
        return link;
    }

    boolean isClosed() {
        return closed;
    }

    Direction directionTo(FabricDevice to, FabricOptions otherwise) {
        return directions.computeIfAbsent(to, device -> new Direction(otherwise));
    }

    void receive(Frame frame) {
        describe(frame);
        insideEngine = true;
        try {
            engine.onDatagram(frame.bytes, Frame.OFFSET, frame.length, arrival, fabric.nowNs());
        } finally {
            insideEngine = false;
        }
        burstDatagrams++;
        burstBytes += frame.length;
        if (burstDatagrams >= MAX_BURST_DATAGRAMS || burstBytes >= MAX_BURST_BYTES) {
            turn();
        } else {
            requestTurn();
        }
    }

    /** Links differ in what they know of the identification: this one knows it, guesses it, or does not, in turn. */
    private void describe(Frame frame) {
        arrival.local(frame.addresses.destinationHigh, frame.addresses.destinationLow, frame.addresses.destinationPort);
        arrival.sender(frame.addresses.sourceHigh, frame.addresses.sourceLow, frame.addresses.sourcePort);
        arrival.trafficClass = frame.path.trafficClass();
        arrival.hopLimit = frame.path.hopLimit();
        arrival.flowLabel = frame.path.flowLabel();
        arrival.identificationHint = switch ((int) (received++ % 3)) {
            case 0 -> frame.identification;
            case 1 -> previousIdentification;
            default -> 0;
        };
        previousIdentification = frame.identification;
    }

    /** Asks for a turn at this instant, after what is already due at it. */
    void requestTurn() {
        fabric.requireOwner();
        if (!turnRequested && !closed) {
            turnRequested = true;
            requestTurnAt(fabric.nowNs() + lateness());
        }
    }

    private long lateness() {
        return lateTurnsNs == 0 ? 0 : random.nextLong(lateTurnsNs + 1);
    }

    void requestTurnAt(long timeNs) {
        fabric.at(timeNs, this::turn);
    }

    private void turn() {
        if (closed) {
            return;
        }
        turns++;
        turnRequested = false;
        burstDatagrams = 0;
        burstBytes = 0;
        insideEngine = true;
        try {
            engine.advance(fabric.nowNs(), link);
        } finally {
            insideEngine = false;
        }
        link.flush();
        arm(engine.nextDeadlineNs());
    }

    /**
     * Arms a wake-up; "no deadline" is the latest time there is. An armed wake-up only moves earlier; one that comes too
     * early finds nothing to do and arms the next.
     */
    private void arm(long deadlineNs) {
        if (deadlineNs >= armedNs) {
            return;
        }
        long nowNs = fabric.nowNs();
        if (deadlineNs <= nowNs && link.blockedUntilNs() > nowNs) {
            return; // The link asked for a turn when it refused; before that nothing can be sent.
        }
        if (deadlineNs <= nowNs) {
            requestTurn();
            return;
        }
        armedNs = deadlineNs;
        fabric.at(deadlineNs + lateness(), () -> onDeadline(deadlineNs));
    }

    private void onDeadline(long deadlineNs) {
        if (deadlineNs == armedNs) {
            armedNs = NOT_ARMED;
            turn();
        }
    }

    /** Runs commands at once on the caller's thread, which is the owner of every device of the fabric. */
    private final class Driver implements DeviceDriver {
        @Override
        public <T> T call(Supplier<T> command) {
            fabric.requireOwner();
            if (closed) {
                throw new RdmaException(ErrorCode.ENODEV, "device " + name + " is closed");
            }
            T result = command.get();
            requestTurn();
            return result;
        }

        @Override
        public boolean isOwnerThread() {
            return insideEngine;
        }

        @Override
        public void joinGroup(Gid group) {
            if (!group.isMulticast()) {
                throw new RdmaException(ErrorCode.EINVAL, group + " is no multicast group");
            }
            if (group.isIpv4() != gid.isIpv4()) {
                throw new RdmaException(
                        ErrorCode.EINVAL, "group " + group + " and device " + gid + " are of different versions of IP");
            }
            fabric.groups().join(group, FabricDevice.this);
        }

        @Override
        public void leaveGroup(Gid group) {
            fabric.groups().leave(group, FabricDevice.this);
        }

        @Override
        public void close() {
            closed = true;
            fabric.groups().leaveAll(FabricDevice.this);
        }
    }
}
