package io.rdma4j.core.pcap;

import io.rdma4j.core.wire.Aeth;
import io.rdma4j.core.wire.AtomicAckEth;
import io.rdma4j.core.wire.AtomicEth;
import io.rdma4j.core.wire.Deth;
import io.rdma4j.core.wire.Feth;
import io.rdma4j.core.wire.Ieth;
import io.rdma4j.core.wire.ImmediateData;
import io.rdma4j.core.wire.Reth;
import io.rdma4j.core.wire.Xrceth;

/** Is shown the extension headers that a frame has, in the order of the wire ({@link RoceFrame#visitHeaders}). */
public interface HeaderVisitor {
    void xrceth(Xrceth header);

    void deth(Deth header);

    void feth(Feth header);

    void reth(Reth header);

    void atomicEth(AtomicEth header);

    void aeth(Aeth header);

    void atomicAckEth(AtomicAckEth header);

    void immediate(ImmediateData header);

    void ieth(Ieth header);
}
