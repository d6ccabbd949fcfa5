/** The verbs API on top of the engine. */
@NullMarked
package io.rdma4j.core.device;

import org.jspecify.annotations.NullMarked;
