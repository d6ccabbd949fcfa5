/**
 * The two-node seed sweep: a generated program and a hostile network, both from one seed, against checkers that know
 * neither the generator nor the engine.
 *
 * <p>{@link io.rdma4j.testkit.sweep.SweepGenerator} makes a {@link io.rdma4j.testkit.sweep.SweepPlan}; {@link
 * io.rdma4j.testkit.sweep.Sweep} runs it and reports. What must be true afterwards stands in the checkers: {@link
 * io.rdma4j.testkit.sweep.CompletionChecker}, {@link io.rdma4j.testkit.sweep.MemoryModel} and {@link
 * io.rdma4j.testkit.sweep.AtomicChecker}.
 */
@NullMarked
package io.rdma4j.testkit.sweep;

import org.jspecify.annotations.NullMarked;
