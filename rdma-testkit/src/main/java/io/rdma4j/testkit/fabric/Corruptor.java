package io.rdma4j.testkit.fabric;

import io.rdma4j.core.wire.Icrc;
import io.rdma4j.core.wire.RocePacket;
import java.util.random.RandomGenerator;

/**
 * Damages frames so that the ICRC shows it. A receiver that cannot see the IPv4 identification takes 1 in 2^16 damaged
 * frames for whole, and the bits the ICRC leaves out (FECN, BECN) may change unseen by design; such damage is rolled
 * again here, because the checkers above ask for exact bytes.
 */
final class Corruptor {
    private static final int MAX_ROLLS = 100;
    private static final int MAX_BURST = 8;
    private static final int MIN_LENGTH = 1;

    private final RandomGenerator random;
    private final Icrc icrc;

    Corruptor(RandomGenerator random, Icrc icrc) {
        this.random = random;
        this.icrc = icrc;
    }

    /** Changes {@code target}, a copy of {@code whole}. */
    void damage(Frame target, Frame whole) {
        for (int roll = 0; roll < MAX_ROLLS; roll++) {
            damageOnce(target);
            boolean noticed = target.length < RocePacket.MIN_LENGTH
                    || !icrc.verify(target.addresses, target.identification, target.bytes, Frame.OFFSET, target.length);
            if (noticed) {
                return;
            }
            target.copyFrom(whole);
        }
        throw new IllegalStateException("no damage that the ICRC shows in " + MAX_ROLLS + " rolls");
    }

    private void damageOnce(Frame frame) {
        switch (random.nextInt(4)) {
            case 0 -> frame.length = random.nextInt(MIN_LENGTH, frame.length);
            case 1 -> overwriteBurst(frame);
            default -> flipBits(frame, 1 + random.nextInt(3));
        }
    }

    private void flipBits(Frame frame, int count) {
        for (int i = 0; i < count; i++) {
            int at = Frame.OFFSET + random.nextInt(frame.length);
            frame.bytes.put(at, (byte) (frame.bytes.get(at) ^ (1 << random.nextInt(8))));
        }
    }

    private void overwriteBurst(Frame frame) {
        int start = random.nextInt(frame.length);
        int end = Math.min(frame.length, start + 1 + random.nextInt(MAX_BURST));
        for (int i = start; i < end; i++) {
            frame.bytes.put(Frame.OFFSET + i, (byte) random.nextInt(256));
        }
    }
}
