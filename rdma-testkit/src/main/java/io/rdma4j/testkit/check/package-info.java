/**
 * Checkers of what goes over the wire. They read a {@link io.rdma4j.testkit.fabric.Trace} and know the rules of PSNs and
 * responses (§5 to §7), nothing of the engine that sent the frames and nothing of what programs wanted.
 */
@NullMarked
package io.rdma4j.testkit.check;

import org.jspecify.annotations.NullMarked;
