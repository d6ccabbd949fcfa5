package io.rdma4j.core.pcap;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.RocePacket;
import io.rdma4j.core.wire.Transport;
import io.rdma4j.verbs.AddressHandle;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.QueuePairType;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendRequest;
import io.rdma4j.verbs.SendWithImmediate;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Linux sent as datagrams, our sender sends for the same requests, byte for byte from the BTH to the pad. */
class LinuxDatagramsTest {
    private static final int GENERAL_SERVICES_QP = 1;

    /** What the two differ in: MigReq, which Linux leaves 0, and the number of the sending queue pair. */
    private static final int MIG_REQ_BYTE = 1;

    private static final int MIG_REQ = 0x40;
    private static final int SOURCE_FROM = 17;
    private static final int SOURCE_TO = 20;

    @ParameterizedTest(name = "{0}")
    @DisplayName("§3, §14: opcode, headers, payload and pad of datagrams as in the captures of rdma_rxe")
    @ValueSource(strings = {"ud_v4", "ud_v6", "tool_ud_pingpong", "cm_mckey", "cm_udaddy", "cm_udaddy_v6"})
    void same(String capture) throws IOException {
        List<RocePacket> linux = datagramsOfTheFirstSender(capture + ".pcap");
        assertThat(linux).isNotEmpty();
        TapeSetup setup =
                new TapeSetup().type(QueuePairType.UD).psn(linux.get(0).psn(), 0);
        try (Tape tape = setup.start();
                AddressHandle way = tape.domain.createAddressHandle(AddressVector.of(Tape.PEER))) {
            for (RocePacket packet : linux) {
                tape.bytes.put(0, packet.buffer(), packet.payloadOffset(), packet.payloadLength());
                tape.post(request(tape.at(0, packet.payloadLength()), way, packet));
                assertThat(tape.sent()).hasSize(1);
                assertThat(comparable(tape.frame(0)))
                        .as("%s", packet)
                        .isEqualTo(comparable(LinuxRequestsTest.bytes(packet)));
            }
        }
    }

    private static SendRequest request(ScatterGatherElement data, AddressHandle way, RocePacket packet) {
        if (packet.opcode() == Opcode.UD_SEND_ONLY_WITH_IMMEDIATE) {
            SendWithImmediate request = SendWithImmediate.of(1, packet.immediate(), data)
                    .to(way, packet.destinationQp(), packet.dethQkey());
            return packet.solicited() ? request.solicited() : request;
        }
        Send request = Send.of(1, data).to(way, packet.destinationQp(), packet.dethQkey());
        return packet.solicited() ? request.solicited() : request;
    }

    private static List<RocePacket> datagramsOfTheFirstSender(String capture) throws IOException {
        List<RoceFrame> datagrams = Golden.frames(capture).stream()
                .filter(frame -> frame.packet().opcode().transport() == Transport.UD)
                .filter(frame -> frame.packet().destinationQp() != GENERAL_SERVICES_QP)
                .toList();
        long sender = datagrams.get(0).addresses().sourceLow;
        return datagrams.stream()
                .filter(frame -> frame.addresses().sourceLow == sender)
                .map(RoceFrame::packet)
                .toList();
    }

    private static int[] comparable(int[] frame) {
        int[] bytes = frame.clone();
        bytes[MIG_REQ_BYTE] &= ~MIG_REQ;
        Arrays.fill(bytes, SOURCE_FROM, SOURCE_TO, 0);
        return bytes;
    }
}
