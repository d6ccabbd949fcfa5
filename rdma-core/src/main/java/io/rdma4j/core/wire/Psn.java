package io.rdma4j.core.wire;

/** Arithmetic on 24-bit packet sequence numbers, which wrap (§5). */
public final class Psn {
    /** All bits of a PSN; also the largest one. */
    public static final int MASK = 0xFFFFFF;

    /** Half the number space: a requester never has more PSNs outstanding, so that order stays decidable. */
    public static final int HALF_SPACE = 1 << 23;

    private Psn() {}

    /** The PSN after this one. */
    public static int next(int psn) {
        return (psn + 1) & MASK;
    }

    /** The PSN before this one. */
    public static int previous(int psn) {
        return (psn - 1) & MASK;
    }

    /** The PSN that is {@code count} further; negative counts go back. */
    public static int add(int psn, int count) {
        return (psn + count) & MASK;
    }

    /** Signed distance from {@code b} to {@code a}, in -2^23 .. 2^23 - 1: positive when {@code a} is newer. */
    public static int diff(int a, int b) {
        return ((a - b) << 8) >> 8;
    }

    /** How many PSNs lie from {@code from} up to, but not with, {@code to}: 0 .. 2^24 - 1, so a full window of 2^23 counts. */
    public static int distance(int from, int to) {
        return (to - from) & MASK;
    }

    /** Whether {@code a} comes after {@code b}. */
    public static boolean isNewer(int a, int b) {
        return diff(a, b) > 0;
    }
}
