/** What the transport services share: completing, moving payload, building packets, checking and executing requests. */
@NullMarked
package io.rdma4j.core.transport;

import org.jspecify.annotations.NullMarked;
