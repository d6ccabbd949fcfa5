package io.rdma4j.tools.text;

import java.util.Locale;

/** Numbers with units, short enough for a table. Always with a decimal point, whatever the locale. */
public final class Units {
    private static final double NANOS_PER_SECOND = 1e9;

    private Units() {}

    /** As {@link String#format} in the root locale. */
    public static String format(String pattern, Object... arguments) {
        return String.format(Locale.ROOT, pattern, arguments);
    }

    /** A duration: {@code 850 ns}, {@code 12.3 us}, {@code 4.56 ms}, {@code 1.20 s}. */
    public static String duration(long nanos) {
        if (nanos < 1_000) {
            return nanos + " ns";
        }
        if (nanos < 1_000_000) {
            return format("%.1f us", nanos / 1e3);
        }
        if (nanos < 1_000_000_000) {
            return format("%.2f ms", nanos / 1e6);
        }
        return format("%.2f s", nanos / NANOS_PER_SECOND);
    }

    /** A count of bytes in binary units: {@code 64 B}, {@code 4 KiB}, {@code 1.5 MiB}. */
    public static String bytes(long bytes) {
        String[] units = {"B", "KiB", "MiB", "GiB"};
        double value = bytes;
        int unit = 0;
        while (value >= 1024 && unit < units.length - 1) {
            value /= 1024;
            unit++;
        }
        return (value == Math.rint(value) ? format("%.0f ", value) : format("%.1f ", value)) + units[unit];
    }

    /** Bytes in a time as {@code 812 MiB/s}. */
    public static String throughput(long bytes, long nanos) {
        return bytes((long) perSecond(bytes, nanos)) + "/s";
    }

    /** How many a second; 0 when no time has passed. */
    public static double perSecond(long count, long nanos) {
        return nanos <= 0 ? 0 : count * NANOS_PER_SECOND / nanos;
    }
}
