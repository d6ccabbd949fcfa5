package io.rdma4j.core.pcap;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.core.wire.AtomicEth;
import io.rdma4j.core.wire.Bth;
import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.Operation;
import io.rdma4j.core.wire.Psn;
import io.rdma4j.core.wire.Reth;
import io.rdma4j.core.wire.RocePacket;
import io.rdma4j.verbs.PathMtu;
import io.rdma4j.verbs.WorkCompletionOpcode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** To the requests of Linux our responder answers what the Linux responder did, and its receives complete as those did. */
class LinuxResponsesTest {
    /** Two parts of the tape's memory: what requests name, and what receives name. */
    private static final int TARGET_MASK = 0x7FF8;

    private static final int RECEIVE_AT = 0xA000;
    private static final int RECEIVE_BYTES = 0x5000;

    /** A receive that completed at the responder of a capture, as its log has it. */
    private static final Pattern COMPLETED = Pattern.compile(
            "g2< OK n=1 \\[wrid=(\\d+) status=0\\(success\\) opcode=(\\d+) len=(\\d+) flags=0x(\\w+) imm=0x(\\w+)");

    private static final int WITH_IMMEDIATE = 2;

    private final ByteBuffer inbox = ByteBuffer.allocateDirect(8192);
    private final Set<Integer> words = new HashSet<>();

    @ParameterizedTest(name = "{0}")
    @DisplayName("§7.3, §20: acknowledgements, answers and completions as in the captures of rdma_rxe")
    @CsvSource({
        "rc_send_only_1024, 1024",
        "rc_send_multi_1024, 1024",
        "rc_send_multi_4096, 4096",
        "rc_send_imm, 1024",
        "rc_send_inline_sge, 1024",
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
        List<RoceFrame> frames = Golden.frames(capture + ".pcap");
        long requester = frames.get(0).addresses().sourceLow;
        List<RocePacket> requests = new ArrayList<>();
        List<RocePacket> responses = new ArrayList<>();
        for (RoceFrame frame : frames) {
            (frame.addresses().sourceLow == requester ? requests : responses).add(frame.packet());
        }
        List<MatchResult> completed = COMPLETED
                .matcher(Files.readString(Golden.directory().resolve(capture + ".txt")))
                .results()
                .toList();
        TapeSetup setup = new TapeSetup()
                .type(LinuxRequestsTest.type(requests.get(0).opcode().transport()))
                .mtu(PathMtu.ofBytes(mtu))
                .readAtomic(0, 16)
                .psn(0, requests.get(0).psn());
        try (Tape tape = setup.start()) {
            for (MatchResult done : completed) {
                tape.receive(Long.parseLong(done.group(1)), tape.at(RECEIVE_AT, RECEIVE_BYTES));
            }
            for (RocePacket request : requests) {
                remember(tape, request, responses);
                deliver(tape, request);
            }

            assertThat(tape.sent()).hasSameSizeAs(responses);
            for (int i = 0; i < responses.size(); i++) {
                assertThat(LinuxRequestsTest.comparable(tape.frame(responses.size() - 1 - i)))
                        .as("frame %d: %s", i, responses.get(i))
                        .isEqualTo(LinuxRequestsTest.comparable(LinuxRequestsTest.bytes(responses.get(i))));
            }
            tape.receiveDone(completed.stream().map(LinuxResponsesTest::line).toArray(String[]::new));
        }
    }

    /** A completion of Linux in the words of a tape. */
    private static String line(MatchResult done) {
        WorkCompletionOpcode opcode = WorkCompletionOpcode.ofCode(Integer.parseInt(done.group(2)));
        boolean immediate = (Integer.parseInt(done.group(4), 16) & WITH_IMMEDIATE) != 0;
        return done.group(1) + " SUCCESS " + opcode.name() + " " + done.group(3)
                + (immediate ? " imm=0x" + done.group(5) : "");
    }

    /** Puts into memory what a READ or atomic of Linux found there. */
    private void remember(Tape tape, RocePacket request, List<RocePacket> responses) {
        if (request.opcode().hasAtomicEth()) {
            int at = (int) request.atomicAddress() & TARGET_MASK;
            if (words.add(at)) {
                tape.bytes
                        .duplicate()
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(at, answer(responses, request.psn()).atomicOriginal());
            }
        } else if (request.opcode().operation() == Operation.READ_REQUEST) {
            int at = (int) request.rethAddress() & TARGET_MASK;
            int left = (int) request.rethLength();
            for (int psn = request.psn(); left > 0; psn = Psn.next(psn)) {
                RocePacket answer = answer(responses, psn);
                tape.bytes.put(at, answer.buffer(), answer.payloadOffset(), answer.payloadLength());
                at += answer.payloadLength();
                left -= answer.payloadLength();
            }
        }
    }

    private static RocePacket answer(List<RocePacket> responses, int psn) {
        return responses.stream()
                .filter(response -> response.psn() == psn)
                .findFirst()
                .orElseThrow();
    }

    /** A packet of Linux for our queue pair, and where it names memory, for ours. */
    private void deliver(Tape tape, RocePacket packet) {
        int length = packet.length() - RocePacket.ICRC_LENGTH;
        inbox.put(0, packet.buffer(), packet.offset(), length);
        new Bth().wrap(inbox, 0).destinationQp(tape.qp.number());
        Opcode opcode = packet.opcode();
        if (opcode.hasReth()) {
            new Reth()
                    .wrap(inbox, opcode.rethOffset())
                    .address(Tape.BASE + ((int) packet.rethAddress() & TARGET_MASK))
                    .key(tape.region.remoteKey());
        }
        if (opcode.hasAtomicEth()) {
            new AtomicEth()
                    .wrap(inbox, opcode.atomicEthOffset())
                    .address(Tape.BASE + ((int) packet.atomicAddress() & TARGET_MASK))
                    .key(tape.region.remoteKey());
        }
        tape.seal(inbox, length);
        tape.inRaw(inbox, 0, length + RocePacket.ICRC_LENGTH);
    }
}
