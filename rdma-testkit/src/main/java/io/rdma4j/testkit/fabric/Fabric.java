package io.rdma4j.testkit.fabric;

import io.rdma4j.core.engine.EngineConfig;
import io.rdma4j.core.qp.DeviceLimits;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.PathMtu;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A simulated network of RDMA devices in one JVM. Time is virtual and stands still while nothing is run; all chance comes
 * from one seed, so a run with the same seed and the same calls sends the same frames at the same instants, to the byte.
 *
 * <p>Not thread-safe: a fabric and its devices belong to the thread that made the fabric. That thread makes time pass, so
 * it must not wait in a call of the verbs API; with a timeout of zero the waiting calls are of use.
 */
public final class Fabric implements AutoCloseable {
    /** Virtual time at the start: not 0, so that a time which was never set shows. */
    public static final long START_NS = 1_000_000_000L;

    /** A directory; every fabric then records itself there, see {@link #capture}. */
    private static final String RECORD_PROPERTY = "rdma4j.testkit.record";

    /** More events at one instant than any honest burst has. */
    private static final int MAX_EVENTS_AT_ONE_INSTANT = 200_000;

    private final long seed;
    private final SplittableRandom deviceChance;
    private final Carrier carrier;
    private final Thread owner = Thread.currentThread();
    private final EventQueue events = new EventQueue();
    private final List<FabricDevice> devices = new ArrayList<>();
    private final Map<Endpoint, FabricDevice> byEndpoint = new HashMap<>();
    private final Map<Gid, Endpoint> endpoints = new HashMap<>();
    private final Groups groups = new Groups();

    private FabricOptions defaultOptions = FabricOptions.clean();
    private @Nullable FabricCapture capture;
    private long nowNs = START_NS;
    private int eventsAtThisInstant;

    /** A fabric without devices, whose every chance follows from {@code seed}. */
    public Fabric(long seed) {
        this.seed = seed;
        SplittableRandom root = new SplittableRandom(seed);
        this.deviceChance = root.split();
        this.carrier = new Carrier(this, root.split(), root.split());
        String directory = System.getProperty(RECORD_PROPERTY);
        if (directory != null) {
            capture(FabricCapture.prefixIn(Path.of(directory), seed));
        }
    }

    public long seed() {
        return seed;
    }

    /** Adds a device with an active MTU of 4096. */
    public FabricDevice addDevice(String name, Gid gid) {
        return addDevice(name, gid, PathMtu.MTU_4096);
    }

    /** Adds a device with a receive buffer of 4 MiB. */
    public FabricDevice addDevice(String name, Gid gid, PathMtu activeMtu) {
        return addDevice(name, gid, activeMtu, FabricEngines.RECEIVE_BUFFER_BYTES);
    }

    /**
     * Adds a device; its QP numbers, PSNs and keys follow from the seed and the order in which devices are added.
     *
     * @param receiveBufferBytes what its engine takes its receive buffer for, and its peers' to be; the budget towards a
     *     peer starts at a quarter of it. The fabric itself loses nothing by it
     */
    public FabricDevice addDevice(String name, Gid gid, PathMtu activeMtu, int receiveBufferBytes) {
        return addDevice(name, FabricEngines.config(gid, activeMtu, receiveBufferBytes, deviceChance.split()));
    }

    /** Adds a device with an active MTU of 4096 that grants its programs what {@code limits} say. */
    public FabricDevice addDevice(String name, Gid gid, DeviceLimits limits) {
        EngineConfig config =
                FabricEngines.config(gid, PathMtu.MTU_4096, FabricEngines.RECEIVE_BUFFER_BYTES, deviceChance.split());
        return addDevice(name, config.limits(limits));
    }

    private FabricDevice addDevice(String name, EngineConfig config) {
        requireOwner();
        Gid gid = config.gid();
        Endpoint endpoint = endpoint(gid);
        if (byEndpoint.containsKey(endpoint)) {
            throw new IllegalArgumentException("the fabric has a device at " + gid + " already");
        }
        FabricDevice device = new FabricDevice(this, name, config);
        byEndpoint.put(endpoint, device);
        devices.add(device);
        return device;
    }

    /** Sets the options of every direction, now and for devices still to come. */
    public void options(FabricOptions options) {
        defaultOptions = options;
        for (FabricDevice from : devices) {
            for (FabricDevice to : devices) {
                direction(from, to).options = options;
            }
        }
    }

    /** Sets the options of one direction. */
    public void options(FabricDevice from, FabricDevice to, FabricOptions options) {
        direction(from, to).options = options;
    }

    /** The options of one direction. */
    public FabricOptions options(FabricDevice from, FabricDevice to) {
        return direction(from, to).options;
    }

    /**
     * Puts a rule in force, after those already there; the first that acts on a frame decides.
     *
     * @return how often the rule has matched and acted
     */
    public RuleInForce addRule(FrameRule rule) {
        return carrier.rules().add(rule);
    }

    /** Ends all rules; {@link #describe} still names them. */
    public void clearRules() {
        carrier.rules().clear();
    }

    /**
     * Ends all faults: no rules, no chance, endless queues, no refused claims, no late turns, every link up. Delays and
     * bandwidths stay; frames under way arrive as decided.
     */
    public void heal() {
        clearRules();
        defaultOptions = defaultOptions.healed();
        for (FabricDevice from : devices) {
            from.heal();
            for (FabricDevice to : devices) {
                Direction direction = direction(from, to);
                direction.options = direction.options.healed();
            }
        }
    }

    /**
     * Records all frames from now on in two pcap files, as they were sent and as they arrived, and the trace of the whole
     * run in a text file, all complete at {@link #close}. {@code -Drdma4j.testkit.record=DIRECTORY} does so for every
     * fabric, without a change to the test.
     *
     * @param prefix path and beginning of the file names {@code -sent.pcap}, {@code -arrived.pcap} and {@code .trace}
     */
    public void capture(Path prefix) {
        if (capture != null) {
            capture.close(carrier.trace());
        }
        FabricCapture opened = FabricCapture.open(prefix);
        capture = opened;
        carrier.tap(opened::sent, opened::arrived);
    }

    /** The seed, the options of every direction, the state of every device and all rules in words, for a failure report. */
    public String describe() {
        StringBuilder text = new StringBuilder("fabric with seed ").append(seed).append('\n');
        for (FabricDevice from : devices) {
            for (FabricDevice to : devices) {
                if (from != to) {
                    String options = direction(from, to).options.describe();
                    text.append(from)
                            .append("->")
                            .append(to)
                            .append(": ")
                            .append(options)
                            .append('\n');
                }
            }
            text.append(from.describeFaults());
        }
        carrier.rules().describe().forEach(line -> text.append(line).append('\n'));
        return text.toString();
    }

    public Trace trace() {
        return carrier.trace();
    }

    public long nowNs() {
        return nowNs;
    }

    /** Runs {@code action} when {@code delayNs} more have passed. */
    public void after(long delayNs, Runnable action) {
        at(nowNs + delayNs, action);
    }

    /** Lets {@code ns} pass. */
    public void runFor(long ns) {
        runUntil(() -> false, ns);
    }

    /**
     * Runs events until the condition holds, which is asked before the first and after every event.
     *
     * @param maxNs how much time may pass
     * @return whether the condition holds; if not, exactly {@code maxNs} have passed
     */
    public boolean runUntil(BooleanSupplier condition, long maxNs) {
        requireOwner();
        long endNs = nowNs + maxNs;
        while (!condition.getAsBoolean()) {
            if (events.isEmpty() || events.nextTimeNs() > endNs) {
                moveTo(endNs);
                return condition.getAsBoolean();
            }
            runNext();
        }
        return true;
    }

    /**
     * Runs events until none is left: nothing under way, no timer running.
     *
     * @throws FabricStalledException when that takes longer than {@code maxNs}
     */
    public void runUntilIdle(long maxNs) {
        if (!runUntil(events::isEmpty, maxNs)) {
            throw new FabricStalledException("not idle after " + maxNs + " ns", this);
        }
    }

    /** Closes the devices, whatever is left open in them, and ends a capture. */
    @Override
    public void close() {
        for (FabricDevice device : devices) {
            if (!device.isClosed()) {
                device.rdma().close();
            }
        }
        if (capture != null) {
            capture.close(carrier.trace());
        }
    }

    void at(long timeNs, Runnable action) {
        events.schedule(Math.max(timeNs, nowNs), action);
    }

    void requireOwner() {
        if (Thread.currentThread() != owner) {
            throw new IllegalStateException("a fabric is used by the thread that made it only, " + owner);
        }
    }

    Groups groups() {
        return groups;
    }

    Carrier carrier() {
        return carrier;
    }

    Endpoint endpoint(Gid gid) {
        return endpoints.computeIfAbsent(gid, Endpoint::of);
    }

    /** The device that has an address, or null. */
    @Nullable
    FabricDevice deviceAt(Gid gid) {
        return byEndpoint.get(endpoint(gid));
    }

    FabricOptions optionsBetween(FabricDevice from, @Nullable FabricDevice to) {
        return to == null ? defaultOptions : direction(from, to).options;
    }

    Direction direction(FabricDevice from, FabricDevice to) {
        return from.directionTo(to, defaultOptions);
    }

    private void runNext() {
        moveTo(events.nextTimeNs());
        if (++eventsAtThisInstant > MAX_EVENTS_AT_ONE_INSTANT) {
            throw new FabricStalledException(
                    "livelock: " + MAX_EVENTS_AT_ONE_INSTANT + " events at " + nowNs + " ns", this);
        }
        events.take().run();
    }

    private void moveTo(long timeNs) {
        if (timeNs > nowNs) {
            nowNs = timeNs;
            eventsAtThisInstant = 0;
        }
    }
}
