/**
 * The four places where a thread stores and then looks at what another has stored, each of which must not lose a wake-up.
 * Every test runs the classes of the engine themselves; what must never be seen is marked forbidden.
 */
@NullMarked
package io.rdma4j.fences;

import org.jspecify.annotations.NullMarked;
