package io.rdma4j.tools.vsh.shell;

import org.jspecify.annotations.Nullable;

/** Numbers as C programs read them: decimal, {@code 0x} hexadecimal, a leading zero for octal, 64 bits, wrapping below 0. */
final class Numbers {
    private Numbers() {}

    /** The number, of 64 bits without a sign; null if the text is none. */
    static @Nullable Long parse(String text) {
        boolean negative = text.startsWith("-");
        String digits = negative ? text.substring(1) : text;
        int radix = 10;
        if (digits.startsWith("0x") || digits.startsWith("0X")) {
            digits = digits.substring(2);
            radix = 16;
        } else if (digits.length() > 1 && digits.startsWith("0")) {
            digits = digits.substring(1);
            radix = 8;
        }
        if (digits.isEmpty() || Character.digit(digits.charAt(0), radix) < 0) {
            return null; // parseUnsignedLong would take a sign of its own
        }
        try {
            long value = Long.parseUnsignedLong(digits, radix);
            return negative ? -value : value;
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
