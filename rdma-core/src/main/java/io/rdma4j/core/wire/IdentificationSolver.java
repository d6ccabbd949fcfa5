package io.rdma4j.core.wire;

import java.util.Arrays;

/**
 * The share of an IPv4 identification in the ICRC, as arithmetic with polynomials over GF(2) modulo the CRC's.
 *
 * <p>A packet whose identification differs by {@code d} (bitwise) from another's, and in nothing else, has an ICRC that
 * differs by {@code d(x) * x^(8n + 32) mod P}, where {@code n} is the number of covered bytes after the identification.
 * Dividing a difference of ICRCs by that power gives the identification back, or shows that there is none: a quotient of
 * degree 16 or more. P is primitive, so x^-k is x^(2^32 - 1 - k).
 *
 * <p>Polynomials are reflected, as in CRC-32: bit 31 is the coefficient of x^0.
 */
final class IdentificationSolver {
    private static final int POLYNOMIAL = 0xEDB88320;
    private static final int ONE = 1 << 31;
    private static final int X = 1 << 30;
    private static final long ORDER = 0xFFFFFFFFL;

    /** Covered bytes from after the identification to the BTH: 14 of IPv4 and 8 of UDP. */
    private static final int BYTES_BEFORE_BTH = 22;

    /** Lengths whose powers are remembered; a power of two. One path MTU has few lengths in use at a time. */
    private static final int SLOTS = 256;

    private static final int NO_LENGTH = -1;

    private int[] lengths = {};
    private int[] powers = {};
    private int[] inverses = {};

    /** How the ICRC of a packet changes when the bits {@code change} of its identification do. */
    int difference(int length, int change) {
        int slot = slotOf(length);
        return multiply(reflect(change), powers[slot]);
    }

    /** The identification that makes such a difference to the ICRC of identification 0, or -1. */
    int solve(int length, int difference) {
        int slot = slotOf(length);
        int quotient = multiply(difference, inverses[slot]);
        return (quotient & 0xFFFF) != 0 ? Icrc.NO_IDENTIFICATION : unreflect(quotient);
    }

    /** The 16 bits as a polynomial: the byte that is sent first has the higher powers, its lowest bit the highest. */
    private static int reflect(int identification) {
        return swap(identification) << 16;
    }

    private static int unreflect(int polynomial) {
        return swap(polynomial >>> 16);
    }

    private static int swap(int value) {
        return (value & 0xFF) << 8 | (value >>> 8 & 0xFF);
    }

    private int slotOf(int length) {
        if (lengths.length == 0) {
            allocate();
        }
        // Packets are multiples of 4 long.
        int slot = length >>> 2 & (SLOTS - 1);
        if (lengths[slot] != length) {
            long exponent = 8L * (length + BYTES_BEFORE_BTH) + 32;
            powers[slot] = power(exponent);
            inverses[slot] = power(ORDER - exponent % ORDER);
            lengths[slot] = length;
        }
        return slot;
    }

    private void allocate() {
        lengths = new int[SLOTS];
        Arrays.fill(lengths, NO_LENGTH);
        powers = new int[SLOTS];
        inverses = new int[SLOTS];
    }

    /** x to a power of 0 to 2^32 - 1. */
    static int power(long exponent) {
        int result = ONE;
        int square = X;
        for (long rest = exponent; rest != 0; rest >>>= 1) {
            if ((rest & 1) != 0) {
                result = multiply(result, square);
            }
            square = multiply(square, square);
        }
        return result;
    }

    /** The product modulo P. */
    static int multiply(int a, int b) {
        int result = 0;
        int shifted = b;
        // bit 31 of the rest is the coefficient that comes next; no branches, for the bits are random
        for (int rest = a; rest != 0; rest <<= 1) {
            result ^= shifted & (rest >> 31);
            shifted = (shifted >>> 1) ^ (POLYNOMIAL & -(shifted & 1));
        }
        return result;
    }
}
