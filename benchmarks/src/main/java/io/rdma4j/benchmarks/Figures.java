package io.rdma4j.benchmarks;

import java.util.List;
import java.util.Locale;

/** Some measurements of one thing. */
record Figures(List<Double> values) {
    double median() {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    /** The median, and between what it lies. */
    String text() {
        double least = values.stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN);
        double most = values.stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN);
        return String.format(Locale.ROOT, "%5.2f (%.2f..%.2f)", median(), least, most);
    }
}
