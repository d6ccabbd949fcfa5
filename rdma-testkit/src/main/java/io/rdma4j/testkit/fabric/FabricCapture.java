package io.rdma4j.testkit.fabric;

import io.rdma4j.core.pcap.IpEnvelope;
import io.rdma4j.core.pcap.PcapWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The files of a run: the frames as they were sent, and as they arrived, which is after the faults, as pcap; and the trace
 * as text.
 */
final class FabricCapture {
    private static final AtomicInteger RUNS = new AtomicInteger();

    private final PcapWriter sent;
    private final PcapWriter arrived;
    private final Path trace;

    private FabricCapture(PcapWriter sent, PcapWriter arrived, Path trace) {
        this.sent = sent;
        this.arrived = arrived;
        this.trace = trace;
    }

    /** A prefix that no other run of this process has. */
    static Path prefixIn(Path directory, long seed) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return directory.resolve("fabric-" + RUNS.incrementAndGet() + "-seed-" + seed);
    }

    static FabricCapture open(Path prefix) {
        String name = String.valueOf(prefix.getFileName());
        try {
            return new FabricCapture(
                    PcapWriter.create(prefix.resolveSibling(name + "-sent.pcap")),
                    PcapWriter.create(prefix.resolveSibling(name + "-arrived.pcap")),
                    prefix.resolveSibling(name + ".trace"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void sent(long timeNs, Frame frame) {
        write(sent, timeNs, frame);
    }

    void arrived(long timeNs, Frame frame) {
        write(arrived, timeNs, frame);
    }

    private static void write(PcapWriter writer, long timeNs, Frame frame) {
        io.rdma4j.core.link.Path path = frame.path;
        IpEnvelope envelope = new IpEnvelope(
                frame.addresses, frame.identification, path.trafficClass(), path.hopLimit(), path.flowLabel());
        try {
            writer.write(timeNs, envelope, frame.bytes, Frame.OFFSET, frame.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void close(Trace whole) {
        try (sent;
                arrived) {
            Files.writeString(trace, whole.text());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
