package io.rdma4j.core.pcap;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.Operation;
import io.rdma4j.core.wire.PacketAddresses;
import io.rdma4j.core.wire.RocePacket;
import io.rdma4j.core.wire.Transport;
import io.rdma4j.verbs.CompareAndSwap;
import io.rdma4j.verbs.FetchAndAdd;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.QueuePairType;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.RdmaWriteWithImmediate;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendRequest;
import io.rdma4j.verbs.SendWithImmediate;
import io.rdma4j.verbs.SendWithInvalidate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Linux sent for its requests, our requester sends for the same ones, byte for byte from the BTH to the pad. */
class LinuxRequestsTest {
    /** What the two may differ in: MigReq, which Linux leaves 0, and the number of the peer's queue pair. */
    private static final int MIG_REQ_BYTE = 1;

    private static final int MIG_REQ = 0x40;
    private static final int QP_FROM = 5;
    private static final int QP_TO = 8;

    private final List<SendRequest> requests = new ArrayList<>();
    private int placed;

    @ParameterizedTest(name = "{0}")
    @DisplayName("§2, §3: opcodes, headers, payload, pad, AckReq and SE as in the captures of rdma_rxe")
    @CsvSource({
        "rc_send_only_1024, 1024",
        "rc_send_multi_1024, 1024",
        "rc_send_multi_4096, 4096",
        "rc_send_imm, 1024",
        "rc_send_inline_sge, 1024",
        "rc_send_inv_bad, 1024",
        "rc_write_1024, 1024",
        "rc_write_4096, 4096",
        "rc_write_imm, 1024",
        "rc_read_1024, 1024",
        "rc_read_4096, 4096",
        "rc_atomic, 1024",
        "uc_send_write, 1024",
        "v6_uc, 1024"
    })
    void same(String capture, int mtu) throws IOException {
        List<RocePacket> linux = requestsOfTheFirstSender(capture + ".pcap");
        TapeSetup setup = new TapeSetup()
                .type(type(linux.get(0).opcode().transport()))
                .mtu(PathMtu.ofBytes(mtu))
                .readAtomic(16, 0)
                .sendRequests(128)
                .psn(linux.get(0).psn(), 0);
        try (Tape tape = setup.start()) {
            List<RocePacket> message = new ArrayList<>();
            for (RocePacket packet : linux) {
                message.add(packet);
                if (packet.opcode().position().ends()) {
                    requests.add(request(tape, message));
                    message.clear();
                }
            }
            tape.post(requests.toArray(SendRequest[]::new));

            assertThat(tape.sent()).hasSameSizeAs(linux);
            for (int i = 0; i < linux.size(); i++) {
                assertThat(comparable(tape.frame(linux.size() - 1 - i)))
                        .as("frame %d: %s", i, linux.get(i))
                        .isEqualTo(comparable(bytes(linux.get(i))));
            }
        }
    }

    /** The type of the queue pairs that speak a transport. */
    static QueuePairType type(Transport transport) {
        return QueuePairType.valueOf(transport.name());
    }

    /** The requests of the node that sent the first frame, to the first queue pair that it spoke to. */
    private static List<RocePacket> requestsOfTheFirstSender(String capture) throws IOException {
        List<RoceFrame> frames = Golden.frames(capture);
        PacketAddresses first = frames.get(0).addresses();
        return frames.stream()
                .filter(frame -> frame.addresses().sourceLow == first.sourceLow)
                .map(RoceFrame::packet)
                .filter(packet -> packet.opcode().isRequest())
                .filter(packet ->
                        packet.destinationQp() == frames.get(0).packet().destinationQp())
                .toList();
    }

    /** The work request that such packets come of; its bytes are put into the memory of the tape. */
    private SendRequest request(Tape tape, List<RocePacket> message) {
        RocePacket first = message.get(0);
        RocePacket last = message.get(message.size() - 1);
        int from = placed;
        for (RocePacket packet : message) {
            tape.bytes.put(placed, packet.buffer(), packet.payloadOffset(), packet.payloadLength());
            placed += packet.payloadLength();
        }
        ScatterGatherElement data = tape.at(from, placed - from);
        Opcode opcode = last.opcode();
        return switch (opcode.operation()) {
            case SEND -> send(last, data);
            case RDMA_WRITE ->
                opcode.hasImmediate()
                        ? RdmaWriteWithImmediate.of(1, last.immediate(), data).to(first.rethAddress(), first.rethKey())
                        : RdmaWrite.of(1, data).to(first.rethAddress(), first.rethKey());
            case READ_REQUEST ->
                RdmaRead.of(1, tape.at(0, first.rethLength())).from(first.rethAddress(), first.rethKey());
            case COMPARE_SWAP ->
                CompareAndSwap.of(1, tape.at(0, 8), first.atomicCompare(), first.atomicSwapOrAdd())
                        .at(first.atomicAddress(), first.atomicKey());
            case FETCH_ADD ->
                FetchAndAdd.of(1, tape.at(0, 8), first.atomicSwapOrAdd()).at(first.atomicAddress(), first.atomicKey());
            default -> throw new AssertionError("no request of ours: " + last);
        };
    }

    private static SendRequest send(RocePacket last, ScatterGatherElement data) {
        Opcode opcode = last.opcode();
        assertThat(opcode.operation()).isEqualTo(Operation.SEND);
        if (opcode.hasImmediate()) {
            SendWithImmediate request = SendWithImmediate.of(1, last.immediate(), data);
            return last.solicited() ? request.solicited() : request;
        } else if (opcode.hasInvalidate()) {
            return SendWithInvalidate.of(1, last.invalidateKey(), data);
        }
        Send request = Send.of(1, data);
        return last.solicited() ? request.solicited() : request;
    }

    static int[] bytes(RocePacket packet) {
        int[] bytes = new int[packet.length() - RocePacket.ICRC_LENGTH];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = packet.buffer().get(packet.offset() + i) & 0xFF;
        }
        return bytes;
    }

    static int[] comparable(int[] frame) {
        int[] bytes = frame.clone();
        bytes[MIG_REQ_BYTE] &= ~MIG_REQ;
        for (int i = QP_FROM; i < QP_TO; i++) {
            bytes[i] = 0;
        }
        return bytes;
    }
}
