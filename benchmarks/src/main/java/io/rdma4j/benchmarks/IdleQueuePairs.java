package io.rdma4j.benchmarks;

import io.rdma4j.verbs.SendRequest;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;

/**
 * What a packet costs while other queue pairs are connected and idle: one busy pair beside 1, 100 and 10,000 idle ones, in
 * virtual time, in processor time of the thread. Rounds of the three take turns, so that the machine's mood is theirs alike;
 * the figure is the median of each round's ratio.
 *
 * <p>Argument: the rounds, 15 if not given.
 */
public final class IdleQueuePairs {
    private static final int[] IDLE = {1, 100, 10_000};
    private static final int DEFAULT_ROUNDS = 15;
    private static final int WARM_UP_ROUNDS = 5;
    private static final int PACKETS_PER_ROUND = 100_000;

    private IdleQueuePairs() {}

    public static void main(String[] arguments) {
        int rounds = arguments.length == 0 ? DEFAULT_ROUNDS : Integer.parseInt(arguments[0]);
        EnginePair[] pairs = new EnginePair[IDLE.length];
        for (int i = 0; i < IDLE.length; i++) {
            pairs[i] = new EnginePair(IDLE[i]);
        }
        System.out.printf(
                "one busy queue pair beside idle ones; median of %d rounds of %,d packets%n",
                rounds, PACKETS_PER_ROUND);
        measure("WRITE of 64 bytes", pairs, 64, rounds);
        measure("WRITE of 64 KiB", pairs, 64 << 10, rounds);
    }

    private static void measure(String what, EnginePair[] pairs, int bytes, int rounds) {
        double[][] nanos = new double[pairs.length][rounds];
        double[][] ratios = new double[pairs.length][rounds];
        SendRequest[] requests = new SendRequest[pairs.length];
        for (int i = 0; i < pairs.length; i++) {
            requests[i] = pairs[i].write(bytes);
        }
        for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
            for (int i = 0; i < pairs.length; i++) {
                double cost = nanosPerPacket(pairs[i], requests[i]);
                if (round >= 0) {
                    nanos[i][round] = cost;
                    ratios[i][round] = cost / nanos[0][round];
                }
            }
        }
        for (int i = 0; i < pairs.length; i++) {
            System.out.printf(
                    Locale.ROOT,
                    "%-18s %,7d idle: %6.0f ns a packet, %.2f of that beside 1%n",
                    what,
                    IDLE[i],
                    median(nanos[i]),
                    median(ratios[i]));
        }
    }

    private static double nanosPerPacket(EnginePair pair, SendRequest request) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long packetsBefore = pair.packets();
        long before = threads.getCurrentThreadCpuTime();
        while (pair.packets() - packetsBefore < PACKETS_PER_ROUND) {
            pair.run(request, 100);
        }
        return (double) (threads.getCurrentThreadCpuTime() - before) / (pair.packets() - packetsBefore);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
