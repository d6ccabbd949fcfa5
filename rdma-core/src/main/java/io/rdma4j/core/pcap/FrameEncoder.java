package io.rdma4j.core.pcap;

import io.rdma4j.core.wire.Aeth;
import io.rdma4j.core.wire.AtomicAckEth;
import io.rdma4j.core.wire.AtomicEth;
import io.rdma4j.core.wire.Bth;
import io.rdma4j.core.wire.Deth;
import io.rdma4j.core.wire.Feth;
import io.rdma4j.core.wire.Icrc;
import io.rdma4j.core.wire.Ieth;
import io.rdma4j.core.wire.ImmediateData;
import io.rdma4j.core.wire.Ipv4Header;
import io.rdma4j.core.wire.Ipv6Header;
import io.rdma4j.core.wire.Reth;
import io.rdma4j.core.wire.RocePacket;
import io.rdma4j.core.wire.UdpHeader;
import io.rdma4j.core.wire.Xrceth;
import java.nio.ByteBuffer;

/** Builds a frame's bytes from its decoded fields. What no field covers, such as a malformed packet's rest, is copied. */
final class FrameEncoder implements HeaderVisitor {
    private final RoceFrame frame;
    private final ByteBuffer source;
    private final ByteBuffer out;
    private int at;

    FrameEncoder(RoceFrame frame) {
        this.frame = frame;
        this.source = frame.bytes();
        this.out = ByteBuffer.allocate(source.limit());
    }

    byte[] encode() {
        Ipv4Header ipv4 = frame.ipv4();
        Ipv6Header ipv6 = frame.ipv6();
        if (ipv4 != null) {
            putIpv4(ipv4);
        } else if (ipv6 != null) {
            putIpv6(ipv6);
        }
        putUdp(frame.udp());
        putBth(frame.bth());
        int icrcAt = out.limit() - RocePacket.ICRC_LENGTH;
        if (frame.malformed() == null) {
            frame.visitHeaders(this);
            RocePacket packet = frame.packet();
            // The reserved bytes of a CNP are the only ones before the payload that no header has taken.
            copy(packet.payloadOffset() - at);
            ByteBuffer payload = frame.payload();
            out.put(at, payload, 0, payload.limit());
            at += payload.limit();
            assert at + packet.padCount() == icrcAt;
        }
        copy(icrcAt - at);
        Icrc.write(out, icrcAt, frame.icrc());
        return out.array();
    }

    private void putIpv4(Ipv4Header from) {
        new Ipv4Header()
                .wrap(out, at)
                .version(from.version())
                .headerLength(from.headerLength())
                .trafficClass(from.trafficClass())
                .totalLength(from.totalLength())
                .identification(from.identification())
                .flagsAndFragment(from.flagsAndFragment())
                .hopLimit(from.hopLimit())
                .protocol(from.protocol())
                .checksum(from.checksum())
                .source(from.source())
                .destination(from.destination());
        at += Ipv4Header.LENGTH;
    }

    private void putIpv6(Ipv6Header from) {
        new Ipv6Header()
                .wrap(out, at)
                .version(from.version())
                .trafficClass(from.trafficClass())
                .flowLabel(from.flowLabel())
                .payloadLength(from.payloadLength())
                .nextHeader(from.nextHeader())
                .hopLimit(from.hopLimit())
                .source(from.sourceHigh(), from.sourceLow())
                .destination(from.destinationHigh(), from.destinationLow());
        at += Ipv6Header.LENGTH;
    }

    private void putUdp(UdpHeader from) {
        new UdpHeader()
                .wrap(out, at)
                .sourcePort(from.sourcePort())
                .destinationPort(from.destinationPort())
                .length(from.length())
                .checksum(from.checksum());
        at += UdpHeader.LENGTH;
    }

    private void putBth(Bth from) {
        new Bth()
                .wrap(out, at)
                .opcode(from.opcode())
                .solicited(from.solicited())
                .migrated(from.migrated())
                .padCount(from.padCount())
                .version(from.version())
                .pkey(from.pkey())
                .fecn(from.fecn())
                .becn(from.becn())
                .reserved6(from.reserved6())
                .destinationQp(from.destinationQp())
                .ackRequest(from.ackRequest())
                .reserved7(from.reserved7())
                .psn(from.psn());
        at += Bth.LENGTH;
    }

    @Override
    public void xrceth(Xrceth from) {
        new Xrceth().wrap(out, at).reserved(from.reserved()).srqNumber(from.srqNumber());
        at += Xrceth.LENGTH;
    }

    @Override
    public void deth(Deth from) {
        new Deth().wrap(out, at).qkey(from.qkey()).reserved(from.reserved()).sourceQp(from.sourceQp());
        at += Deth.LENGTH;
    }

    @Override
    public void feth(Feth from) {
        new Feth()
                .wrap(out, at)
                .reserved(from.reserved())
                .selectivity(from.selectivity())
                .placement(from.placement());
        at += Feth.LENGTH;
    }

    @Override
    public void reth(Reth from) {
        new Reth().wrap(out, at).address(from.address()).key(from.key()).length(from.length());
        at += Reth.LENGTH;
    }

    @Override
    public void atomicEth(AtomicEth from) {
        new AtomicEth()
                .wrap(out, at)
                .address(from.address())
                .key(from.key())
                .swapOrAdd(from.swapOrAdd())
                .compare(from.compare());
        at += AtomicEth.LENGTH;
    }

    @Override
    public void aeth(Aeth from) {
        new Aeth().wrap(out, at).syndrome(from.syndrome()).msn(from.msn());
        at += Aeth.LENGTH;
    }

    @Override
    public void atomicAckEth(AtomicAckEth from) {
        new AtomicAckEth().wrap(out, at).original(from.original());
        at += AtomicAckEth.LENGTH;
    }

    @Override
    public void immediate(ImmediateData from) {
        new ImmediateData().wrap(out, at).value(from.value());
        at += ImmediateData.LENGTH;
    }

    @Override
    public void ieth(Ieth from) {
        new Ieth().wrap(out, at).key(from.key());
        at += Ieth.LENGTH;
    }

    private void copy(int length) {
        out.put(at, source, at, length);
        at += length;
    }
}
