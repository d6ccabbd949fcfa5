package io.rdma4j.testkit.fabric;

import io.rdma4j.core.pcap.IpEnvelope;
import io.rdma4j.core.pcap.PcapWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** Two pcap files of a run: the frames as they were sent, and as they arrived, which is after the faults. */
final class FabricCapture implements AutoCloseable {
    private final PcapWriter sent;
    private final PcapWriter arrived;

    private FabricCapture(PcapWriter sent, PcapWriter arrived) {
        this.sent = sent;
        this.arrived = arrived;
    }

    static FabricCapture open(Path prefix) {
        String name = String.valueOf(prefix.getFileName());
        try {
            return new FabricCapture(
                    PcapWriter.create(prefix.resolveSibling(name + "-sent.pcap")),
                    PcapWriter.create(prefix.resolveSibling(name + "-arrived.pcap")));
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

    @Override
    public void close() {
        try (sent) {
            arrived.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
