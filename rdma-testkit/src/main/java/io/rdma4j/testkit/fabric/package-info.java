/**
 * A network in one JVM and in virtual time: several devices, faults from one seed, and a trace that is equal to the byte
 * whenever the seed is.
 */
@NullMarked
package io.rdma4j.testkit.fabric;

import org.jspecify.annotations.NullMarked;
