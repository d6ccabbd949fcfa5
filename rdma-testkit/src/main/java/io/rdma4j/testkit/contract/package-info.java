/**
 * What every provider of the verbs API must do, as one suite of cases: {@link io.rdma4j.testkit.contract.VerbsContract}.
 * A case speaks to a {@link io.rdma4j.testkit.contract.ContractBed} alone, so it runs in virtual time and over sockets.
 */
@NullMarked
package io.rdma4j.testkit.contract;

import org.jspecify.annotations.NullMarked;
