package io.rdma4j.udp;

import io.rdma4j.core.engine.DeviceEngine;
import io.rdma4j.core.link.DatagramHandler;
import io.rdma4j.core.link.FaultyLink;
import io.rdma4j.core.link.Link;
import io.rdma4j.core.link.LinkFaults;
import io.rdma4j.core.link.LinkMiddleware;
import io.rdma4j.core.link.PcapLink;
import io.rdma4j.core.link.TracingLink;
import io.rdma4j.core.pcap.PcapWriter;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.RdmaException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What stands between the socket and the engine. Nothing, most often; with the options that ask for it, from below: the
 * capture, which sees what is on the wire; the faults; and the trace, which sees what the engine sees.
 */
final class LinkStack {
    private static final Logger LOG = LoggerFactory.getLogger("io.rdma4j.udp");

    /** Seeds that nobody chose are short, because somebody may want to type them. */
    private static final int SEEDS = 1_000_000;

    private final DeviceEngine engine;
    private final UdpLink bottom;
    private Link top;
    private DatagramHandler first;
    private @Nullable LinkMiddleware highest;
    private @Nullable PcapLink capture;
    private @Nullable FaultyLink faulty;
    private @Nullable TracingLink trace;

    private LinkStack(UdpLink bottom, DeviceEngine engine) {
        this.bottom = bottom;
        this.engine = engine;
        this.top = bottom;
        this.first = engine;
    }

    /** Makes what the options of a device ask for. */
    static LinkStack of(DeviceDescription description, UdpLink bottom, DeviceEngine engine) {
        UdpOptions options = description.options();
        LinkStack stack = new LinkStack(bottom, engine);
        try {
            stack.addCapture(options.capture());
            stack.addFaults(options.faults(), description.name());
            stack.addTrace(options.trace());
        } catch (RuntimeException e) {
            stack.close();
            throw e;
        }
        engine.counters().include(stack::counts);
        return stack;
    }

    private void addCapture(UdpOptions.@Nullable Capture wanted) {
        if (wanted == null) {
            return;
        }
        try {
            PcapWriter writer = PcapWriter.create(wanted.file());
            capture = new PcapLink(top, engine, writer, wanted.frames(), LinkStack::wallClock);
        } catch (IOException e) {
            throw cannotWrite("pcap", wanted.file(), e);
        }
        push(capture);
    }

    private void addFaults(@Nullable LinkFaults wanted, String name) {
        if (wanted == null) {
            return;
        }
        Long asked = wanted.seed();
        long seed = asked == null ? new SecureRandom().nextInt(SEEDS) : asked;
        LOG.warn("{}: received frames are disturbed on purpose: {}", name, wanted.seed(seed));
        faulty = new FaultyLink(top, engine, wanted, new SplittableRandom(seed));
        push(faulty);
    }

    private void addTrace(@Nullable Path file) {
        if (file == null) {
            return;
        }
        try {
            trace = new TracingLink(top, engine, Files.newBufferedWriter(file), LinkStack::wallClock);
        } catch (IOException e) {
            throw cannotWrite("trace", file, e);
        }
        if (faulty != null) {
            faulty.tellTo(trace);
        }
        push(trace);
    }

    private void push(LinkMiddleware next) {
        if (highest == null) {
            first = next;
        } else {
            highest.deliverTo(next);
        }
        highest = next;
        top = next;
    }

    /** The link that the engine sends through. */
    Link link() {
        return top;
    }

    /** The handler that takes what the socket receives. */
    DatagramHandler handler() {
        return first;
    }

    /** A turn of the engine, and of what is kept for later below it. */
    Duty duty() {
        Duty duty = new EngineDuty(engine, top);
        return faulty == null ? duty : new FaultyDuty(duty, faulty);
    }

    private Map<String, Long> counts() {
        Map<String, Long> all = new LinkedHashMap<>(bottom.errors().counts());
        FaultyLink disturbing = faulty;
        if (disturbing != null) {
            all.putAll(disturbing.counts());
        }
        return all;
    }

    /** Ends capture and trace. */
    void close() {
        if (capture != null) {
            capture.close();
        }
        if (trace != null) {
            trace.close();
        }
    }

    private static RdmaException cannotWrite(String option, Path file, IOException e) {
        return new RdmaException(
                ErrorCode.EINVAL, "option " + option + "=" + file + " for udp://: cannot be written: " + e, e);
    }

    private static long wallClock() {
        Instant now = Instant.now();
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    }
}
