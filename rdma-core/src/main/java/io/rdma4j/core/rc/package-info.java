/** The reliable-connection transport: requester, responder and completer (§5 to §8). */
@NullMarked
package io.rdma4j.core.rc;

import org.jspecify.annotations.NullMarked;
