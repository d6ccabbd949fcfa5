package io.rdma4j.core.rc;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.tape.PacketText;
import io.rdma4j.core.tape.Tape;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.Send;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MigReq (§3): 1 in the normal state, and hardware and older software peers differ in what they send. */
class MigrationBitTest {
    @ParameterizedTest(name = "bug/5: a peer whose packets carry MigReq {0} is understood, and ours carry 1")
    @ValueSource(ints = {0, 1})
    void peerWithEitherBit(int bit) {
        String m = " M=" + bit;
        try (Tape tape = new Tape()) {
            // A frame of ours without the bit would show as M=0 in these lines.
            tape.receive(1, tape.at(0, 64));
            tape.in("SEND_ONLY psn=500 len=8 A" + m).out("ACK psn=500 syn=0x1f msn=1");
            tape.in("WRITE_ONLY psn=501 va=0x10100 key=mr dma=8 len=8 A" + m).out("ACK psn=501 syn=0x1f msn=2");
            tape.in("READ_REQUEST psn=502 va=0x10100 key=mr dma=8 A" + m)
                    .out("READ_RESPONSE_ONLY psn=502 syn=0x1f msn=3 len=8");
            tape.receiveDone("1 SUCCESS RECV 8");

            tape.post(Send.of(11, tape.at(0, 8)).signaled()).out("SEND_ONLY psn=100 len=8 A");
            tape.in("ACK psn=100 msn=1" + m);
            tape.post(RdmaWrite.of(12, tape.at(0, 8)).to(0x2000, 9).signaled())
                    .out("WRITE_ONLY psn=101 va=0x2000 key=0x9 dma=8 len=8 A");
            tape.in("ACK psn=101 msn=2" + m);
            tape.post(RdmaRead.of(13, tape.at(64, 8)).from(0x2000, 9).signaled())
                    .out("READ_REQUEST psn=102 va=0x2000 key=0x9 dma=8 A");
            tape.in("READ_RESPONSE_ONLY psn=102 msn=3 len=8" + m);
            tape.sendDone("11 SUCCESS SEND 8", "12 SUCCESS RDMA_WRITE 8", "13 SUCCESS RDMA_READ 8");
            assertThat(tape.memory(64, 8)).isEqualTo(PacketText.payload(102, 8));
        }
    }
}
