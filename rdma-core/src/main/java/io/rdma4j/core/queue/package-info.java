/** Work queues and completion rings between application threads and the engine's owner thread, and the doorbell. */
@NullMarked
package io.rdma4j.core.queue;

import org.jspecify.annotations.NullMarked;
