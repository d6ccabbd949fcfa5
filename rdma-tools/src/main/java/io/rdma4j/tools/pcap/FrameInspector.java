package io.rdma4j.tools.pcap;

import io.rdma4j.core.pcap.CapturedFrame;
import io.rdma4j.core.pcap.FrameDecoder;
import io.rdma4j.core.pcap.OtherFrame;
import io.rdma4j.core.pcap.PcapPacket;
import io.rdma4j.core.pcap.RoceFrame;
import io.rdma4j.tools.text.Units;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Tells RoCEv2 from the rest and right frames from wrong ones. A device may use another port than 4791; a port is taken
 * for such a one from the first frame on that is right in every respect, because 32 bits of ICRC do not match by chance.
 */
final class FrameInspector {
    private static final int ROCE_PORT = 4791;
    private static final int PORTS = 65536;
    private static final FrameDecoder ANY_PORT =
            new FrameDecoder(IntStream.range(0, PORTS).boxed().collect(Collectors.toSet()));

    private final Set<Integer> rocePorts = new HashSet<>();

    private final boolean skipOthers;

    /**
     * Knows port 4791 and these from the start.
     *
     * @param skipOthers whether a frame that is not RoCEv2 is no problem
     */
    FrameInspector(Collection<Integer> ports, boolean skipOthers) {
        rocePorts.add(ROCE_PORT);
        rocePorts.addAll(ports);
        this.skipOthers = skipOthers;
    }

    CapturedFrame decode(PcapPacket packet) {
        CapturedFrame frame = ANY_PORT.decode(packet);
        if (frame instanceof RoceFrame roce && !rocePorts.contains(roce.udp().destinationPort())) {
            int port = roce.udp().destinationPort();
            if (!problems(roce).isEmpty()) {
                return new OtherFrame("UDP port " + port);
            }
            rocePorts.add(port);
        }
        return frame;
    }

    /** What is wrong with a frame; empty when it parses, encodes to the same bytes and has a right ICRC. */
    List<String> problems(CapturedFrame frame) {
        if (!(frame instanceof RoceFrame roce)) {
            return skipOthers ? List.of() : List.of(frame.line());
        }
        List<String> problems = new ArrayList<>();
        if (roce.malformed() != null) {
            problems.add("does not parse: " + roce.malformed());
        }
        if (!roce.isIcrcValid()) {
            problems.add(Units.format("ICRC is 0x%08x, should be 0x%08x", roce.icrc(), roce.computeIcrc()));
        }
        if (roce.malformed() == null) {
            byte[] captured = new byte[roce.bytes().remaining()];
            roce.bytes().get(captured);
            int difference = Arrays.mismatch(captured, roce.encode());
            if (difference >= 0) {
                problems.add("encodes to other bytes, from byte " + difference + " of the IP packet on");
            }
        }
        return problems;
    }
}
