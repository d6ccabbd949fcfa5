package io.rdma4j.core.ud;

import io.rdma4j.core.tape.Tape;
import io.rdma4j.core.tape.TapeSetup;
import io.rdma4j.verbs.AddressHandle;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.QueuePairAttributes;
import io.rdma4j.verbs.QueuePairState;
import io.rdma4j.verbs.QueuePairType;

/** What tapes of a datagram queue pair have in common: the Q_Key, a way to the peer, and how a frame reads. */
final class DatagramTape {
    static final int QKEY = Tape.QKEY;

    private DatagramTape() {}

    static TapeSetup setup() {
        return new TapeSetup().type(QueuePairType.UD);
    }

    static Tape start() {
        return setup().start();
    }

    static AddressHandle toPeer(Tape tape) {
        return tape.domain.createAddressHandle(AddressVector.of(Tape.PEER));
    }

    /** The line of a frame that the tape's queue pair sent to the peer's Q_Key {@link #QKEY}. */
    static String line(Tape tape, int psn, String more) {
        return line(tape, "UD_SEND_ONLY", psn, QKEY, more);
    }

    static String line(Tape tape, String opcode, int psn, int qkey, String more) {
        return String.format("%s psn=%d qkey=0x%x src=%d%s", opcode, psn, qkey, tape.qp.number(), more);
    }

    static QueuePairAttributes to(QueuePairState state) {
        return QueuePairAttributes.builder().state(state).build();
    }
}
