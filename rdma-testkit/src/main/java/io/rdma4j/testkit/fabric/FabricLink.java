package io.rdma4j.testkit.fabric;

import io.rdma4j.core.link.Link;
import io.rdma4j.core.link.Path;
import io.rdma4j.core.qp.QpContext;
import io.rdma4j.core.wire.Aeth;
import io.rdma4j.core.wire.Bth;
import io.rdma4j.core.wire.Icrc;
import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.RocePacket;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The bottom of a device on the fabric. Seals each frame for an identification of its own count, as an operating system
 * would, and can refuse claims for a while, as a full socket buffer does.
 */
final class FabricLink implements Link {
    /** How long a link that refused a claim refuses every other one. */
    static final long BLOCKED_NS = 5_000;

    private final Fabric fabric;
    private final FabricDevice device;
    private final RandomGenerator random;
    private final Icrc icrc = new Icrc();
    private final int sourcePort;

    private @Nullable Frame open;
    private int identification;
    private double refusal;
    private long blockedUntilNs = Long.MIN_VALUE;

    FabricLink(Fabric fabric, FabricDevice device, int sourcePort, RandomGenerator random) {
        this.fabric = fabric;
        this.device = device;
        this.sourcePort = sourcePort;
        this.random = random;
        this.identification = random.nextInt(1 << 16);
    }

    void refusal(double probability) {
        refusal = probability;
    }

    double refusal() {
        return refusal;
    }

    /** Until when the link refuses claims; in the past when it does not. */
    long blockedUntilNs() {
        return blockedUntilNs;
    }

    @Override
    public boolean claim(Path path, int length) {
        if (open != null) {
            throw new IllegalStateException("a frame is claimed already");
        }
        if (length <= 0 || length % 4 != 0 || length > Frame.CAPACITY - RocePacket.ICRC_LENGTH) {
            throw new IllegalArgumentException("no frame has " + length + " bytes before its ICRC");
        }
        if (refuses()) {
            return false;
        }
        open = fabric.carrier().pool().take(path, length);
        return true;
    }

    private boolean refuses() {
        long nowNs = fabric.nowNs();
        if (nowNs < blockedUntilNs) {
            return true;
        }
        if (refusal == 0 || random.nextDouble() >= refusal) {
            return false;
        }
        blockedUntilNs = nowNs + BLOCKED_NS;
        device.requestTurnAt(blockedUntilNs);
        return true;
    }

    @Override
    public ByteBuffer buffer() {
        return claimed().bytes;
    }

    @Override
    public int offset() {
        return Frame.OFFSET;
    }

    @Override
    public void commit() {
        Frame frame = claimed();
        open = null;
        seal(frame);
        fabric.carrier().transmit(device, frame);
    }

    private void seal(Frame frame) {
        identification = (identification + 1) & 0xFFFF;
        Endpoint local = fabric.endpoint(frame.path.local());
        Endpoint source = new Endpoint(local.high(), local.low(), sourcePort);
        frame.seal(source, fabric.endpoint(frame.path.remote()), lastIdentification(), icrc);
    }

    /** Sends an acknowledgement packet that the engine knows nothing of (§3). */
    void forgeAcknowledge(QpContext qp, Path path, int psn, int syndrome) {
        Opcode opcode = Opcode.RC_ACKNOWLEDGE;
        Frame frame = fabric.carrier().pool().take(path, opcode.headerLength());
        new Bth()
                .wrap(frame.bytes, Frame.OFFSET)
                .init(opcode, qp.attributes.destinationQp, psn)
                .migrated(true);
        new Aeth().wrap(frame.bytes, Frame.OFFSET + opcode.aethOffset()).set(syndrome, qp.receive.msn);
        seal(frame);
        fabric.carrier().transmitForged(device, frame);
    }

    @Override
    public void cancel() {
        fabric.carrier().pool().release(claimed());
        open = null;
    }

    @Override
    public void flush() {
        if (open != null) {
            throw new IllegalStateException("flush with a frame neither committed nor cancelled");
        }
    }

    @Override
    public int lastIdentification() {
        return device.gid().isIpv4() ? identification : 0;
    }

    private Frame claimed() {
        return Objects.requireNonNull(open, "no frame is claimed");
    }
}
