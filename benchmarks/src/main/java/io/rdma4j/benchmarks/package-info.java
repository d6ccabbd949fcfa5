/** Measurements against the limit in the same run; run by hand, never published. */
@NullMarked
package io.rdma4j.benchmarks;

import org.jspecify.annotations.NullMarked;
