package io.rdma4j.core.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RocePacketTest {
    private static final int AT = 5;

    private final ByteBuffer buffer = ByteBuffer.allocate(8192);
    private final Bth bth = new Bth();
    private final RocePacket packet = new RocePacket();

    @Test
    void givesTheFieldsOfTheBth() {
        bth.wrap(buffer, AT)
                .init(Opcode.RC_SEND_ONLY, 0xABCDEF, 0x123456)
                .solicited(true)
                .migrated(true)
                .ackRequest(true)
                .fecn(true)
                .becn(true)
                .padCount(3)
                .pkey(0x8001);

        assertThat(packet.parse(buffer, AT, Bth.LENGTH + 8 + 4)).isNull();

        assertThat(packet.opcode()).isEqualTo(Opcode.RC_SEND_ONLY);
        assertThat(packet.opcodeCode()).isEqualTo(4);
        assertThat(packet.solicited()).isTrue();
        assertThat(packet.migrated()).isTrue();
        assertThat(packet.ackRequest()).isTrue();
        assertThat(packet.fecn()).isTrue();
        assertThat(packet.becn()).isTrue();
        assertThat(packet.padCount()).isEqualTo(3);
        assertThat(packet.pkey()).isEqualTo(0x8001);
        assertThat(packet.destinationQp()).isEqualTo(0xABCDEF);
        assertThat(packet.psn()).isEqualTo(0x123456);
        assertThat(packet.payloadOffset()).isEqualTo(AT + 12);
        assertThat(packet.payloadLength()).isEqualTo(5);
        assertThat(packet.buffer()).isSameAs(buffer);
        assertThat(packet).hasToString("RC_SEND_ONLY qpn=0xabcdef psn=1193046 payload=5");
    }

    @Test
    void flagsThatAreNotSetReadFalse() {
        bth.wrap(buffer, AT).init(Opcode.RC_SEND_ONLY, -1, -1);

        assertThat(packet.parse(buffer, AT, 16)).isNull();

        assertThat(packet.solicited()).isFalse();
        assertThat(packet.migrated()).isFalse();
        assertThat(packet.ackRequest()).isFalse();
        assertThat(packet.fecn()).isFalse();
        assertThat(packet.becn()).isFalse();
        assertThat(packet.destinationQp()).isEqualTo(0xFFFFFF);
        assertThat(packet.psn()).isEqualTo(0xFFFFFF);
    }

    @ParameterizedTest
    @EnumSource
    void givesTheFieldsOfEveryExtensionHeaderAndZeroForThoseThatAreNotThere(Opcode opcode) {
        Random random = new Random(opcode.code());
        random.nextBytes(buffer.array());
        bth.wrap(buffer, AT).init(opcode, 17, 42);
        int payload = payloadOf(opcode);

        assertThat(packet.parse(buffer, AT, opcode.headerLength() + payload + 4))
                .isNull();

        Reth reth = new Reth().wrap(buffer, AT + opcode.rethOffset());
        assertThat(packet.rethAddress()).isEqualTo(opcode.hasReth() ? reth.address() : 0);
        assertThat(packet.rethKey()).isEqualTo(opcode.hasReth() ? reth.key() : 0);
        assertThat(packet.rethLength()).isEqualTo(opcode.hasReth() ? reth.length() : 0);
        Aeth aeth = new Aeth().wrap(buffer, AT + opcode.aethOffset());
        assertThat(packet.syndrome()).isEqualTo(opcode.hasAeth() ? aeth.syndrome() : 0);
        assertThat(packet.msn()).isEqualTo(opcode.hasAeth() ? aeth.msn() : 0);
        AtomicEth atomic = new AtomicEth().wrap(buffer, AT + opcode.atomicEthOffset());
        assertThat(packet.atomicAddress()).isEqualTo(opcode.hasAtomicEth() ? atomic.address() : 0);
        assertThat(packet.atomicKey()).isEqualTo(opcode.hasAtomicEth() ? atomic.key() : 0);
        assertThat(packet.atomicSwapOrAdd()).isEqualTo(opcode.hasAtomicEth() ? atomic.swapOrAdd() : 0);
        assertThat(packet.atomicCompare()).isEqualTo(opcode.hasAtomicEth() ? atomic.compare() : 0);
        AtomicAckEth ack = new AtomicAckEth().wrap(buffer, AT + opcode.atomicAckEthOffset());
        assertThat(packet.atomicOriginal()).isEqualTo(opcode.hasAtomicAckEth() ? ack.original() : 0);
        ImmediateData immediate = new ImmediateData().wrap(buffer, AT + opcode.immediateOffset());
        assertThat(packet.immediate()).isEqualTo(opcode.hasImmediate() ? immediate.value() : 0);
        Ieth ieth = new Ieth().wrap(buffer, AT + opcode.invalidateOffset());
        assertThat(packet.invalidateKey()).isEqualTo(opcode.hasInvalidate() ? ieth.key() : 0);
        Deth deth = new Deth().wrap(buffer, AT + opcode.dethOffset());
        assertThat(packet.dethQkey()).isEqualTo(opcode.hasDeth() ? deth.qkey() : 0);
        assertThat(packet.dethSourceQp()).isEqualTo(opcode.hasDeth() ? deth.sourceQp() : 0);
        Xrceth xrceth = new Xrceth().wrap(buffer, AT + opcode.xrcethOffset());
        assertThat(packet.xrcSrqNumber()).isEqualTo(opcode.hasXrceth() ? xrceth.srqNumber() : 0);
        Feth feth = new Feth().wrap(buffer, AT + opcode.fethOffset());
        assertThat(packet.flushSelectivity()).isEqualTo(opcode.hasFeth() ? feth.selectivity() : 0);
        assertThat(packet.flushPlacement()).isEqualTo(opcode.hasFeth() ? feth.placement() : 0);
        assertThat(packet.payloadOffset()).isEqualTo(AT + opcode.headerLength());
        assertThat(packet.payloadLength()).isEqualTo(payload);
        assertThat(packet.icrc()).isEqualTo(Icrc.read(buffer, AT + opcode.headerLength() + payload));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 12, 15})
    void shorterThanBthAndIcrcIsTooShort(int length) {
        bth.wrap(buffer, AT).init(Opcode.RC_SEND_ONLY, 17, 42);

        assertThat(packet.parse(buffer, AT, length)).isEqualTo(DropReason.TOO_SHORT);
        assertThat(packet.destinationQp()).isZero();
        assertThat(packet.payloadLength()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void shorterThanItsHeadersIsTooShort(Opcode opcode) {
        bth.wrap(buffer, AT).init(opcode, 17, 42);
        int shortest = opcode.headerLength() + RocePacket.ICRC_LENGTH;

        for (int length = RocePacket.MIN_LENGTH; length < shortest; length++) {
            assertThat(packet.parse(buffer, AT, length)).isEqualTo(DropReason.TOO_SHORT);
            assertThat(packet.destinationQp()).isEqualTo(17);
            assertThat(packet.rethAddress() + packet.immediate() + packet.msn()).isZero();
        }
        assertThat(packet.parse(buffer, AT, shortest)).isNull();
    }

    @Test
    void anotherVersionIsRefused() {
        bth.wrap(buffer, AT).init(Opcode.RC_SEND_ONLY, 17, 42).version(1);

        assertThat(packet.parse(buffer, AT, 16)).isEqualTo(DropReason.BAD_VERSION);
        assertThat(packet.version()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x15, 0x18, 0x1B, 0x1E, 0x2C, 0x40, 0x55, 0x60, 0x66, 0x80, 0x82, 0xB5, 0xC0, 0xFF})
    void aReservedOpcodeIsToldWithTheFieldsThatAnAnswerNeeds(int code) {
        bth.wrap(buffer, AT).init(Opcode.RC_SEND_ONLY, 17, 42).opcode(code);

        assertThat(packet.parse(buffer, AT, 101)).isEqualTo(DropReason.UNKNOWN_OPCODE);

        assertThat(packet.opcodeCode()).isEqualTo(code);
        assertThat(packet.destinationQp()).isEqualTo(17);
        assertThat(packet.psn()).isEqualTo(42);
        assertThat(packet.payloadLength()).isZero();
        assertThatThrownBy(packet::opcode).isInstanceOf(IllegalStateException.class);
        assertThat(packet.toString()).endsWith("malformed");
    }

    @Test
    void payloadAndPadMustBeAMultipleOfFour() {
        bth.wrap(buffer, AT).init(Opcode.RC_SEND_ONLY, 17, 42);

        assertThat(packet.parse(buffer, AT, 16 + 5)).isEqualTo(DropReason.BAD_PAD);
        bth.padCount(1);
        assertThat(packet.parse(buffer, AT, 16 + 5)).isEqualTo(DropReason.BAD_PAD);
        bth.padCount(3);
        assertThat(packet.parse(buffer, AT, 16 + 8)).isNull();
    }

    @Test
    void padMustLieInThePacket() {
        bth.wrap(buffer, AT).init(Opcode.RC_SEND_ONLY, 17, 42).padCount(1);
        assertThat(packet.parse(buffer, AT, 16)).isEqualTo(DropReason.BAD_PAD);

        bth.init(Opcode.RC_ACKNOWLEDGE, 17, 42).padCount(2);
        assertThat(packet.parse(buffer, AT, 16 + 4)).isEqualTo(DropReason.BAD_PAD);
    }

    @ParameterizedTest
    @EnumSource
    void payloadWhereNoneBelongsIsRefused(Opcode opcode) {
        bth.wrap(buffer, AT).init(opcode, 17, 42);
        boolean none = opcode.payloadRule() == PayloadRule.NONE;

        assertThat(packet.parse(buffer, AT, opcode.headerLength() + 4 + 4))
                .isEqualTo(none ? DropReason.LENGTH_MISMATCH : null);
    }

    @Test
    void aPacketAfterABadOneIsReadAfresh() {
        bth.wrap(buffer, AT).init(Opcode.RC_SEND_ONLY, 17, 42);
        assertThat(packet.parse(buffer, AT, 3)).isEqualTo(DropReason.TOO_SHORT);
        assertThat(packet.parse(buffer, AT, 20)).isNull();
        assertThat(packet.payloadLength()).isEqualTo(4);
        bth.version(2);
        assertThat(packet.parse(buffer, AT, 20)).isEqualTo(DropReason.BAD_VERSION);
        assertThat(packet.payloadLength()).isZero();
    }

    @Test
    void aRangeOutsideTheBufferIsTheCallersMistake() {
        assertThatThrownBy(() -> packet.parse(buffer, 8190, 16)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    private static int payloadOf(Opcode opcode) {
        return switch (opcode.payloadRule()) {
            case NONE -> 0;
            case EIGHT -> 8;
            case ANY, SOME, FULL -> 1024;
        };
    }
}
