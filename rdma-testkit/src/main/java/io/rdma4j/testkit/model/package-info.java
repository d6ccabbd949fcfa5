/**
 * The model test: generated verbs programs, with mistakes in them, run on two devices and on a reference of plain arrays.
 *
 * <p>{@link io.rdma4j.testkit.model.ModelProgram} goes step by step: it registers, deregisters, connects and breaks
 * connections, posts requests of which some must fail, lets the network come to rest, and then holds every completion and
 * every byte against what {@link io.rdma4j.testkit.model.ReferenceModel} says must be. The reference knows the
 * specification and nothing of the engine.
 */
@NullMarked
package io.rdma4j.testkit.model;

import org.jspecify.annotations.NullMarked;
