/** What the engine knows of a queue pair, a peer and a limit: state without logic. */
@NullMarked
package io.rdma4j.core.qp;

import org.jspecify.annotations.NullMarked;
