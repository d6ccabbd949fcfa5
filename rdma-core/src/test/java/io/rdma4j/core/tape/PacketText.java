package io.rdma4j.core.tape;

import io.rdma4j.core.wire.Aeth;
import io.rdma4j.core.wire.AtomicAckEth;
import io.rdma4j.core.wire.AtomicEth;
import io.rdma4j.core.wire.Bth;
import io.rdma4j.core.wire.Deth;
import io.rdma4j.core.wire.Ieth;
import io.rdma4j.core.wire.ImmediateData;
import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.Reth;
import io.rdma4j.core.wire.RocePacket;
import io.rdma4j.core.wire.Syndrome;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Packets as short lines, the same in both directions: {@code WRITE_FIRST psn=500 va=0x10000 key=0x1234 dma=512 len=256 A}.
 *
 * <p>The first word is the opcode without its prefixes, or {@code 0x15} for one that does not exist. Then come the fields
 * that the opcode has, among them {@code imm} and {@code inv}, of a datagram {@code qkey} and {@code src}; {@code len} is the payload, left out when 0; {@code A} asks for an acknowledgement, {@code SE} is the
 * solicited event. A line that is written may also set {@code qp}, {@code pkey}, {@code tver}, {@code pad} and {@code M}.
 */
public final class PacketText {
    private static final Map<String, Opcode> BY_NAME = new HashMap<>();

    static {
        for (Opcode opcode : Opcode.values()) {
            BY_NAME.put(name(opcode), opcode);
        }
    }

    private PacketText() {}

    static String name(Opcode opcode) {
        return opcode.name().replaceFirst("^RC_(RDMA_)?", "").replace("ACKNOWLEDGE", "ACK");
    }

    /** What byte {@code i} of the payload of a written packet holds. */
    public static byte payloadByte(int psn, int i) {
        return (byte) (psn * 31 + i * 7 + 1);
    }

    /** The payload of a written packet, or part of a message made of such packets. */
    public static byte[] payload(int psn, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = payloadByte(psn, i);
        }
        return bytes;
    }

    /** Writes the packet of a line from index 0 on and returns its length from the BTH to the pad. */
    public static int write(String line, int queuePair, Map<String, Integer> keys, ByteBuffer into) {
        String[] words = line.trim().split("\\s+");
        Map<String, String> fields = new HashMap<>();
        for (String word : words) {
            int equals = word.indexOf('=');
            fields.put(equals < 0 ? word : word.substring(0, equals), equals < 0 ? "" : word.substring(equals + 1));
        }
        Opcode opcode = BY_NAME.get(words[0]);
        int code = opcode != null ? opcode.code() : Integer.decode(words[0]);
        int psn = (int) number(fields, "psn", 0);
        int length = (int) number(fields, "len", 0);
        int pad = (int) number(fields, "pad", -length & 3);
        int header = opcode != null ? opcode.headerLength() : Bth.LENGTH;
        for (int i = 0; i < header + length + pad; i++) {
            into.put(i, (byte) 0);
        }
        new Bth()
                .wrap(into, 0)
                .init(Opcode.RC_ACKNOWLEDGE, (int) number(fields, "qp", queuePair), psn)
                .opcode(code)
                .pkey((int) number(fields, "pkey", 0xFFFF))
                .version((int) number(fields, "tver", 0))
                .migrated(number(fields, "M", 1) == 1)
                .padCount(pad)
                .ackRequest(fields.containsKey("A"))
                .solicited(fields.containsKey("SE"));
        if (opcode != null) {
            writeExtensions(opcode, fields, keys, into);
        }
        into.put(header, payload(psn, length));
        return header + length + pad;
    }

    private static void writeExtensions(
            Opcode opcode, Map<String, String> fields, Map<String, Integer> keys, ByteBuffer into) {
        int key = key(fields.getOrDefault("key", "0"), keys);
        long va = number(fields, "va", 0);
        if (opcode.hasDeth()) {
            new Deth()
                    .wrap(into, opcode.dethOffset())
                    .qkey((int) number(fields, "qkey", 0))
                    .sourceQp((int) number(fields, "src", 0));
        }
        if (opcode.hasReth()) {
            new Reth().wrap(into, opcode.rethOffset()).address(va).key(key).length(number(fields, "dma", 0));
        }
        if (opcode.hasAtomicEth()) {
            new AtomicEth()
                    .wrap(into, opcode.atomicEthOffset())
                    .address(va)
                    .key(key)
                    .swapOrAdd(number(fields, fields.containsKey("add") ? "add" : "swap", 0))
                    .compare(number(fields, "cmp", 0));
        }
        if (opcode.hasAeth()) {
            int syndrome = (int) number(fields, "syn", Syndrome.ack(Syndrome.UNLIMITED_CREDITS));
            new Aeth().wrap(into, opcode.aethOffset()).set(syndrome, (int) number(fields, "msn", 0));
        }
        if (opcode.hasAtomicAckEth()) {
            new AtomicAckEth().wrap(into, opcode.atomicAckEthOffset()).original(number(fields, "orig", 0));
        }
        if (opcode.hasImmediate()) {
            new ImmediateData().wrap(into, opcode.immediateOffset()).value((int) number(fields, "imm", 0));
        }
        if (opcode.hasInvalidate()) {
            new Ieth().wrap(into, opcode.invalidateOffset()).key(key(fields.getOrDefault("inv", "0"), keys));
        }
    }

    private static int key(String text, Map<String, Integer> keys) {
        Integer named = keys.get(text);
        return named != null ? named : Long.decode(text).intValue();
    }

    private static long number(Map<String, String> fields, String name, long absent) {
        String text = fields.get(name);
        if (text == null) {
            return absent;
        }
        return text.startsWith("0x") ? Long.parseUnsignedLong(text.substring(2), 16) : Long.parseLong(text);
    }

    /** The line of a frame that was sent to {@code queuePair}: {@code bytes} from the BTH to the pad. */
    static String read(byte[] bytes, int queuePair) {
        RocePacket packet = new RocePacket();
        // The parser wants the ICRC too; the engine leaves it to the link.
        ByteBuffer frame = ByteBuffer.wrap(Arrays.copyOf(bytes, bytes.length + RocePacket.ICRC_LENGTH));
        Object wrong = packet.parse(frame, 0, frame.limit());
        if (wrong != null) {
            return "malformed: " + wrong;
        }
        Opcode opcode = packet.opcode();
        StringBuilder text = new StringBuilder(name(opcode)).append(" psn=").append(packet.psn());
        if (opcode.hasDeth()) {
            text.append(String.format(" qkey=0x%x src=%d", packet.dethQkey(), packet.dethSourceQp()));
        }
        if (opcode.hasReth()) {
            text.append(String.format(
                    " va=0x%x key=0x%x dma=%d", packet.rethAddress(), packet.rethKey(), packet.rethLength()));
        }
        if (opcode.hasAtomicEth()) {
            text.append(String.format(" va=0x%x key=0x%x", packet.atomicAddress(), packet.atomicKey()));
            text.append(
                    opcode == Opcode.RC_FETCH_ADD
                            ? " add=" + packet.atomicSwapOrAdd()
                            : " swap=" + packet.atomicSwapOrAdd() + " cmp=" + packet.atomicCompare());
        }
        if (opcode.hasAeth()) {
            text.append(String.format(" syn=0x%02x msn=%d", packet.syndrome(), packet.msn()));
        }
        if (opcode.hasAtomicAckEth()) {
            text.append(" orig=").append(packet.atomicOriginal());
        }
        text.append(opcode.hasImmediate() ? String.format(" imm=0x%x", packet.immediate()) : "");
        text.append(opcode.hasInvalidate() ? String.format(" inv=0x%x", packet.invalidateKey()) : "");
        text.append(packet.payloadLength() > 0 ? " len=" + packet.payloadLength() : "");
        text.append(packet.ackRequest() ? " A" : "").append(packet.solicited() ? " SE" : "");
        return text.append(oddities(packet, bytes, queuePair)).toString();
    }

    /** What every frame must have and no line mentions. */
    private static String oddities(RocePacket packet, byte[] bytes, int queuePair) {
        StringBuilder text = new StringBuilder();
        text.append(packet.destinationQp() == queuePair ? "" : " qp=" + packet.destinationQp());
        text.append(packet.pkey() == 0xFFFF ? "" : " pkey=" + packet.pkey());
        text.append(packet.migrated() ? "" : " M=0");
        for (int i = 1; i <= packet.padCount(); i++) {
            text.append(bytes[bytes.length - i] == 0 ? "" : " dirty-pad");
        }
        return text.toString();
    }

    /** The payload of a frame that was sent. */
    static byte[] payloadOf(byte[] bytes) {
        Opcode opcode = Objects.requireNonNull(Opcode.of(bytes[0]));
        int pad = bytes[1] >>> 4 & 3;
        return Arrays.copyOfRange(bytes, opcode.headerLength(), bytes.length - pad);
    }
}
