/** {@code rdma4j sweep}: generated programs on a hostile simulated network, many seeds or one again. */
@NullMarked
package io.rdma4j.tools.sweep;

import org.jspecify.annotations.NullMarked;
