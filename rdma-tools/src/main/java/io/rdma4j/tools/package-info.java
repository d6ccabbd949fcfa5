/** The entry point of the {@code rdma4j} command. */
@NullMarked
package io.rdma4j.tools;

import org.jspecify.annotations.NullMarked;
