package io.rdma4j.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rdma4j.testkit.fabric.Fabric;
import io.rdma4j.verbs.AsyncEvent;
import io.rdma4j.verbs.AsyncEventType;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.RdmaException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.function.Executable;

/**
 * What a case stands on: fresh devices of a provider, time, and what most cases need of both. A bed is for one case.
 *
 * <p>What the case makes through the bed is closed by it, and a completion that nobody expected fails the case; flushed
 * requests alone may stay unpolled.
 *
 * <p>Threading: a bed belongs to the thread that runs the case.
 */
public abstract class ContractBed implements AutoCloseable {
    private final String provider;
    private final Map<Integer, RdmaDevice> devices = new TreeMap<>();
    private final Map<Integer, ProtectionDomain> domains = new TreeMap<>();
    private final Deque<AutoCloseable> toClose = new ArrayDeque<>();
    private final List<End> ends = new ArrayList<>();
    private final List<String> scales = new ArrayList<>();

    /** A bed of a provider, whose name is that of its report. */
    protected ContractBed(String provider) {
        this.provider = provider;
    }

    /** The name of the provider. */
    public final String provider() {
        return provider;
    }

    /** Opens a device that no other case uses, reachable from the others of this bed. */
    protected abstract RdmaDevice open(int index);

    /** Why the provider lacks something, in words that a device engineer accepts; empty when it has it. */
    protected abstract Optional<String> lacks(Need need);

    /** Why a case with that need is excluded, empty if it is not. */
    final Optional<String> reasonAgainst(Need need) {
        return need.impossible().isEmpty() ? lacks(need) : Optional.of(need.impossible());
    }

    /** Whether the provider does less of what takes long: see {@link #scaled}. */
    protected abstract boolean isScaled();

    /** Lets time pass until a condition holds; whether it came to hold in time. */
    public abstract boolean await(BooleanSupplier condition, Duration atMost);

    /** Lets time pass. */
    protected abstract void pass(Duration time);

    /** How long to wait for what must come. */
    public abstract Duration patience();

    /** Runs activities at the same time, each until it has no more to do. */
    public abstract void run(List<? extends Worker> workers);

    /** What a failure report should have besides. */
    protected abstract String describe();

    /** The network, for cases that need {@link Need#FRAME_RULES}. */
    public Fabric fabric() {
        throw new IllegalStateException("a case that uses the fabric needs FRAME_RULES");
    }

    /** The device of that index; opened when it is asked for first. */
    public final RdmaDevice device(int index) {
        return devices.computeIfAbsent(index, this::open);
    }

    /** How many devices are open. */
    final int openDevices() {
        return devices.size();
    }

    /** A domain of that device, the same for all who ask. */
    public final ProtectionDomain domain(int index) {
        return domains.computeIfAbsent(index, i -> closing(device(i).allocateProtectionDomain()));
    }

    /** Two connected reliable queue pairs on two devices, with 64 KiB of memory each. */
    public final Pair pair() {
        return pair(PairPlan.RELIABLE);
    }

    /** Two queue pairs as planned. */
    public final Pair pair(PairPlan plan) {
        Pair pair = new Pair(this, plan);
        ends.add(pair.a());
        ends.add(pair.b());
        return pair;
    }

    /** Has the object closed after the case, before all that was given earlier. */
    public final <T extends AutoCloseable> T closing(T object) {
        toClose.push(object);
        return object;
    }

    /**
     * How many to do of what a case asks for, where so many would take long in real time; the report says so.
     *
     * @param what the unit in words, such as {@code rounds}
     */
    public final int scaled(String what, int full, int reduced) {
        if (!isScaled() || reduced >= full) {
            return full;
        }
        scales.add(reduced + " of " + full + " " + what);
        return reduced;
    }

    /**
     * The same for what no provider can do in full.
     *
     * @param practical how many can be done where time is virtual
     */
    public final int limited(String what, int full, int practical, int reduced) {
        int count = isScaled() ? reduced : practical;
        scales.add(count + " of " + full + " " + what);
        return count;
    }

    /** Lets time pass as the case asks for, or less of it; the report says so. */
    public final void advance(Duration full, Duration reduced) {
        if (isScaled() && reduced.compareTo(full) < 0) {
            scales.add(reduced.toMillis() + " of " + full.toMillis() + " ms");
            pass(reduced);
        } else {
            pass(full);
        }
    }

    /** Lets so much time pass, everywhere. */
    public final void advance(Duration time) {
        pass(time);
    }

    /** What was done less of; empty when nothing. */
    final String scale() {
        return String.join(", ", scales);
    }

    /** Fails unless the condition comes to hold in time. */
    public final void expect(String what, BooleanSupplier condition) {
        if (!await(condition, patience())) {
            throw new AssertionError(what + ": not within " + patience().toMillis() + " ms\n" + describe());
        }
    }

    /** The next asynchronous event of a device is this one. */
    public final void expectEvent(RdmaDevice device, AsyncEventType type, int element) {
        AsyncEvent[] event = new AsyncEvent[1];
        expect(type + " of " + device.name(), () -> {
            event[0] = device.awaitAsyncEvent(Duration.ZERO);
            return event[0] != null;
        });
        assertEquals(new AsyncEvent(type, element), event[0]);
    }

    /** No device of the bed has an event that was not taken. */
    public final void expectNoEvents() {
        for (RdmaDevice device : devices.values()) {
            assertNull(device.awaitAsyncEvent(Duration.ZERO), () -> "an event of " + device.name());
        }
    }

    /** Nothing was sent twice, where a device counts that and no scheduler makes it late. */
    public final void expectNoRetransmission() {
        for (RdmaDevice device : devices.values()) {
            Long again = device.counters().get("retransmitted_packets");
            assertTrue(isScaled() || again == null || again == 0, () -> device.name() + " sent " + again + " again");
        }
    }

    /** The call is refused with that code, and in words. */
    public static RdmaException expectRefused(ErrorCode code, Executable call) {
        return expectRefused(Set.of(code), call);
    }

    /** The call is refused with one of these codes, and in words. */
    public static RdmaException expectRefused(Set<ErrorCode> codes, Executable call) {
        RdmaException refusal = assertThrows(RdmaException.class, call);
        assertTrue(codes.contains(refusal.code()), () -> "one of " + codes + ": " + refusal.getMessage());
        assertTrue(
                String.valueOf(refusal.getMessage()).length()
                        > refusal.code().name().length() + 2,
                "a refusal says why");
        return refusal;
    }

    /** Runs a case, and closes the bed whatever comes of it. */
    final void perform(Consumer<ContractBed> body) {
        try {
            body.accept(this);
            ends.forEach(End::expectNothingElse);
        } catch (AssertionError | RuntimeException e) {
            e.addSuppressed(new IllegalStateException("the bed: " + describe()));
            try {
                close();
            } catch (RuntimeException again) {
                e.addSuppressed(again);
            }
            throw e;
        }
        close();
    }

    /** Closes what the case made, newest first, and the devices. */
    @Override
    public void close() {
        List<Exception> failures = new ArrayList<>();
        while (!toClose.isEmpty()) {
            close(toClose.pop(), failures);
        }
        devices.values().forEach(device -> close(device, failures));
        if (!failures.isEmpty()) {
            IllegalStateException failure = new IllegalStateException("closing failed: " + failures.get(0));
            failures.forEach(failure::addSuppressed);
            throw failure;
        }
    }

    private static void close(AutoCloseable object, List<Exception> failures) {
        try {
            object.close();
        } catch (Exception e) {
            failures.add(e);
        }
    }
}
