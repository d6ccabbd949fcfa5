package io.rdma4j.testkit.fabric;

import io.rdma4j.core.link.Path;
import io.rdma4j.core.wire.Bth;
import io.rdma4j.core.wire.Icrc;
import io.rdma4j.core.wire.PacketAddresses;
import io.rdma4j.core.wire.RocePacket;
import java.nio.ByteBuffer;

/**
 * One datagram under way: the bytes from the BTH to the ICRC and what the IP and UDP headers would say. Instances come
 * from a {@link FramePool} and go back to it.
 */
final class Frame {
    /** The largest payload plus more than the headers of any opcode and the ICRC. */
    static final int CAPACITY = 4096 + 192;

    /** Where the BTH is: not 0, so that code which forgets an offset is found out. */
    static final int OFFSET = 42;

    final ByteBuffer bytes = ByteBuffer.allocateDirect(OFFSET + CAPACITY);
    final PacketAddresses addresses = new PacketAddresses();

    /** Bytes from the BTH to the last pad byte, and after {@link #seal} to the ICRC. */
    int length;

    int identification;
    Path path;

    Frame(Path path) {
        this.path = path;
    }

    /** Takes the frame for a new datagram of {@code length} bytes before the ICRC. */
    void open(Path path, int length) {
        this.path = path;
        this.length = length;
    }

    /** Computes the ICRC over the finished frame and puts it behind the pad, least significant byte first (§1.1). */
    void seal(Endpoint source, Endpoint destination, int identification, Icrc icrc) {
        this.identification = identification;
        addresses.source(source.high(), source.low(), source.port());
        addresses.destination(destination.high(), destination.low(), destination.port());
        Icrc.write(bytes, OFFSET + length, icrc.compute(addresses, identification, bytes, OFFSET, length));
        length += RocePacket.ICRC_LENGTH;
    }

    /** Changes MigReq of a sealed frame, which keeps a right ICRC. */
    void migrated(boolean bit, Icrc icrc) {
        new Bth().wrap(bytes, OFFSET).migrated(bit);
        int covered = length - RocePacket.ICRC_LENGTH;
        Icrc.write(bytes, OFFSET + covered, icrc.compute(addresses, identification, bytes, OFFSET, covered));
    }

    void copyFrom(Frame other) {
        path = other.path;
        length = other.length;
        identification = other.identification;
        PacketAddresses from = other.addresses;
        addresses.source(from.sourceHigh, from.sourceLow, from.sourcePort);
        addresses.destination(from.destinationHigh, from.destinationLow, from.destinationPort);
        bytes.put(OFFSET, other.bytes, OFFSET, length);
    }
}
