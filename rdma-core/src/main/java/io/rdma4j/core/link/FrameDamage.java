package io.rdma4j.core.link;

import io.rdma4j.core.wire.Icrc;
import io.rdma4j.core.wire.PacketAddresses;
import io.rdma4j.core.wire.RocePacket;
import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;

/**
 * Damages frames so that the ICRC shows it. A receiver that cannot see the IPv4 identification takes 1 in 2^16 damaged
 * frames for whole, and the bits the ICRC leaves out (FECN, BECN) may change unseen by design; such damage is rolled
 * again here, because whoever damages frames on purpose wants exact data above all the same.
 */
public final class FrameDamage {
    private static final int MAX_ROLLS = 100;
    private static final int MAX_BURST = 8;
    private static final int MIN_LENGTH = 1;

    private final RandomGenerator random;
    private final Icrc icrc = new Icrc();
    private byte[] whole = new byte[0];

    /** Damage by chance. */
    public FrameDamage(RandomGenerator random) {
        this.random = random;
    }

    /**
     * Damages a frame where it is.
     *
     * @param frame holds the frame from index {@code offset} on
     * @param length bytes from the BTH to the ICRC, both included
     * @param identification what a receiver knows or guesses of it
     * @return the new length, which is at least 1
     */
    public int damage(ByteBuffer frame, int offset, int length, PacketAddresses addresses, int identification) {
        if (whole.length < length) {
            whole = new byte[length];
        }
        frame.get(offset, whole, 0, length);
        for (int roll = 0; roll < MAX_ROLLS; roll++) {
            int left = damageOnce(frame, offset, length);
            boolean noticed =
                    left < RocePacket.MIN_LENGTH || !icrc.verify(addresses, identification, frame, offset, left);
            if (noticed) {
                return left;
            }
            frame.put(offset, whole, 0, length);
        }
        throw new IllegalStateException("no damage that the ICRC shows in " + MAX_ROLLS + " rolls");
    }

    private int damageOnce(ByteBuffer frame, int offset, int length) {
        switch (random.nextInt(4)) {
            case 0 -> {
                return random.nextInt(MIN_LENGTH, length);
            }
            case 1 -> overwriteBurst(frame, offset, length);
            default -> flipBits(frame, offset, length, 1 + random.nextInt(3));
        }
        return length;
    }

    private void flipBits(ByteBuffer frame, int offset, int length, int count) {
        for (int i = 0; i < count; i++) {
            int at = offset + random.nextInt(length);
            frame.put(at, (byte) (frame.get(at) ^ (1 << random.nextInt(8))));
        }
    }

    private void overwriteBurst(ByteBuffer frame, int offset, int length) {
        int start = random.nextInt(length);
        int end = Math.min(length, start + 1 + random.nextInt(MAX_BURST));
        for (int i = start; i < end; i++) {
            frame.put(offset + i, (byte) random.nextInt(256));
        }
    }
}
