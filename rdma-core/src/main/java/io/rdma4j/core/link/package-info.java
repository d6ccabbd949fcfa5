/** The ports through which the engine meets the network: who sends, where to, and how frames leave. */
@NullMarked
package io.rdma4j.core.link;

import org.jspecify.annotations.NullMarked;
