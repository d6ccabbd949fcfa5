/**
 * RoCEv2 on the wire: the opcode table, header flyweights, the packet parser, PSN arithmetic and the ICRC. Bytes only;
 * nothing here knows queue pairs, sockets or clocks.
 */
@NullMarked
package io.rdma4j.core.wire;

import org.jspecify.annotations.NullMarked;
