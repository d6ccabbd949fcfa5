package io.rdma4j.tools.sweep;

import io.rdma4j.testkit.sweep.SweepKind;
import java.util.List;

/**
 * What was asked for.
 *
 * @param kinds what to make of each seed
 * @param from the first seed
 * @param count how many
 * @param threads how many at a time
 */
record SweepOptions(List<SweepKind> kinds, long from, long count, int threads) {}
