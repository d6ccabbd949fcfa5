package io.rdma4j.benchmarks;

import io.rdma4j.verbs.RdmaWrite;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * How near RDMA WRITE comes to the limit: in one run, between two JVMs over loopback, alternately (a) raw Netty datagrams of
 * the same framing, paced to zero loss, with the same copies and CRCs and no protocol, and (b) WRITEs of 1 MiB through the
 * verbs API, several outstanding. Only the ratio means something on another machine.
 *
 * <p>Options, each {@code name=value}: {@code mtu=4096,1024 pairs=5 seconds=2 outstanding=8 require=0} (per cent of raw that
 * WRITE must reach, else the exit code is 1).
 */
public final class RawVersusWrite {
    /** Bytes of one WRITE, and of the memories that are copied from and to. */
    static final int MESSAGE = 1 << 20;

    static final String HOST = "127.0.0.1";

    /** The window that was measured to be enough for the raw side at any MTU. */
    private static final int RAW_WINDOW_BYTES = 1 << 20;

    private static final double GIGA = 1e9;

    private final Map<String, String> options;
    private final int pairs;
    private final long nanos;
    private final int outstanding;

    private RawVersusWrite(Map<String, String> options) {
        this.options = options;
        this.pairs = Integer.parseInt(options.getOrDefault("pairs", "5"));
        this.nanos =
                TimeUnit.MILLISECONDS.toNanos((long) (1000 * Double.parseDouble(options.getOrDefault("seconds", "2"))));
        this.outstanding = Integer.parseInt(options.getOrDefault("outstanding", "8"));
    }

    /** Measures, or serves the process that does. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 1 && arguments[0].equals("serve")) {
            OtherProcess.serve();
            return;
        }
        Map<String, String> options = new TreeMap<>();
        for (String argument : arguments) {
            String[] parts = argument.split("=", 2);
            if (parts.length != 2) {
                throw new IllegalArgumentException("not name=value: " + argument);
            }
            options.put(parts[0], parts[1]);
        }
        System.exit(new RawVersusWrite(options).run() ? 0 : 1);
    }

    private boolean run() throws IOException {
        System.out.printf(
                Locale.ROOT,
                "JDK %s, %d cores; GB/s (10^9 bytes of data), median of %d alternating pairs of %.1f s (least..most)%n",
                System.getProperty("java.version"),
                Runtime.getRuntime().availableProcessors(),
                pairs,
                nanos / GIGA);
        double required = Double.parseDouble(options.getOrDefault("require", "0")) / 100;
        boolean met = true;
        for (String mtu : options.getOrDefault("mtu", "4096,1024").split(",", -1)) {
            met &= measure(Integer.parseInt(mtu)) >= required;
        }
        return met;
    }

    /** All pairs at one MTU, with a process of their own; returns the median ratio. */
    private double measure(int mtu) throws IOException {
        List<Double> datagrams = new ArrayList<>();
        List<Double> writes = new ArrayList<>();
        List<Double> ratios = new ArrayList<>();
        ByteBuffer memory = ByteBuffer.allocateDirect(MESSAGE);
        try (OtherProcess other = new OtherProcess();
                Writer writer = new Writer(HOST, memory, mtu, outstanding)) {
            String[] receivers = other.receive(mtu, writer.address());
            InetSocketAddress raw =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(receivers[0]));
            RawSender sender = new RawSender(raw, memory, mtu, RAW_WINDOW_BYTES);
            RdmaWrite request = writer.connect(receivers[1]);
            try (RawChannels channels = new RawChannels(HOST, sender)) {
                for (int pair = -1; pair < pairs; pair++) {
                    double a = sender.run(channels, nanos) * (double) mtu / nanos;
                    double b = writer.run(request, nanos) * (double) MESSAGE / nanos;
                    if (pair >= 0) { // the one before the first warms up
                        datagrams.add(a);
                        writes.add(b);
                        ratios.add(b / a);
                    }
                }
            }
            print(mtu, new Figures(datagrams), new Figures(writes), new Figures(ratios));
            System.out.printf(
                    "     raw frames lost: %d; counters of the writer: %s%n", sender.lost(), writer.counters());
        }
        return new Figures(ratios).median();
    }

    private void print(int mtu, Figures raw, Figures write, Figures ratios) {
        System.out.printf(
                Locale.ROOT,
                "MTU %4d: raw %s, 1 MiB WRITE x %d %s, ratio %s%n",
                mtu,
                raw.text(),
                outstanding,
                write.text(),
                ratios.text());
    }
}
