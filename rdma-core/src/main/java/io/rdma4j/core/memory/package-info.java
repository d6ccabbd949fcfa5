/** Registered memory: keys, rights, ranges, and the only code that touches a user's bytes. */
@NullMarked
package io.rdma4j.core.memory;

import org.jspecify.annotations.NullMarked;
