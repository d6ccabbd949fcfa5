/** The unreliable connection: a requester that hears of nothing, and a responder that drops what it cannot use. */
@NullMarked
package io.rdma4j.core.uc;

import org.jspecify.annotations.NullMarked;
