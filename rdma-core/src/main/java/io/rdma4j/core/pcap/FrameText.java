package io.rdma4j.core.pcap;

import io.rdma4j.core.wire.Aeth;
import io.rdma4j.core.wire.AtomicAckEth;
import io.rdma4j.core.wire.AtomicEth;
import io.rdma4j.core.wire.Bth;
import io.rdma4j.core.wire.Deth;
import io.rdma4j.core.wire.Feth;
import io.rdma4j.core.wire.Ieth;
import io.rdma4j.core.wire.ImmediateData;
import io.rdma4j.core.wire.IpText;
import io.rdma4j.core.wire.Ipv4Header;
import io.rdma4j.core.wire.Ipv6Header;
import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.PacketAddresses;
import io.rdma4j.core.wire.Reth;
import io.rdma4j.core.wire.UdpHeader;
import io.rdma4j.core.wire.Xrceth;
import java.util.Locale;

/** Shows a frame in one line: IP, BTH, extension headers, length of the payload, verdict on the ICRC. */
final class FrameText implements HeaderVisitor {
    private final RoceFrame frame;
    private final StringBuilder text = new StringBuilder(160);

    FrameText(RoceFrame frame) {
        this.frame = frame;
    }

    /** The opcode as the line names it: short, and the same in every transport. */
    static String opcodeName(int code) {
        Opcode known = Opcode.of(code);
        if (known == null) {
            return String.format(Locale.ROOT, "0x%02x", code);
        }
        return known.name()
                .replace("RDMA_", "")
                .replace("READ_REQUEST", "READ_REQ")
                .replace("READ_RESPONSE", "READ_RESP")
                .replace("_WITH_IMMEDIATE", "_IMM")
                .replace("_WITH_INVALIDATE", "_INV")
                .replace("ACKNOWLEDGE", "ACK")
                .replace("COMPARE_SWAP", "CMP_SWAP");
    }

    String line() {
        putIp();
        putBth(frame.bth());
        if (frame.malformed() == null) {
            frame.visitHeaders(this);
            text.append(" payload=").append(frame.packet().payloadLength());
        } else {
            text.append(" malformed=").append(frame.malformed());
        }
        putIcrc();
        return text.toString();
    }

    private void putIp() {
        PacketAddresses addresses = frame.addresses();
        putHost(addresses.sourceHigh, addresses.sourceLow);
        text.append(':').append(addresses.sourcePort).append('>');
        putHost(addresses.destinationHigh, addresses.destinationLow);
        if (addresses.destinationPort != UdpHeader.ROCE_PORT) {
            text.append(':').append(addresses.destinationPort);
        }
        Ipv4Header ipv4 = frame.ipv4();
        Ipv6Header ipv6 = frame.ipv6();
        if (ipv4 != null) {
            put(" id=%d df=%d", ipv4.identification(), ipv4.dontFragment() ? 1 : 0);
        } else if (ipv6 != null) {
            put(" flow=0x%x", ipv6.flowLabel());
        }
        put(" ttl=%d tos=0x%02x", frame.hopLimit(), frame.trafficClass());
    }

    /** An address, in brackets where colons would run into the port's. */
    private void putHost(long high, long low) {
        String address = IpText.of(high, low);
        text.append(frame.isIpv4() ? address : "[" + address + "]");
    }

    private void putBth(Bth bth) {
        put(" %s qpn=%d psn=%d", opcodeName(bth.opcode()), bth.destinationQp(), bth.psn());
        flag(bth.ackRequest(), " A");
        flag(bth.solicited(), " SE");
        flag(!bth.migrated(), " nomig");
        flag(bth.fecn(), " FECN");
        flag(bth.becn(), " BECN");
        flag(bth.version() != Bth.VERSION, " tver=" + bth.version());
        put(" pad=%d pkey=0x%04x", bth.padCount(), bth.pkey());
    }

    private void putIcrc() {
        put(" icrc=0x%08x ", frame.icrc());
        int computed = frame.computeIcrc();
        if (computed == frame.icrc()) {
            text.append("ok");
        } else {
            put("BAD(calc 0x%08x)", computed);
        }
    }

    private void flag(boolean set, String name) {
        if (set) {
            text.append(name);
        }
    }

    private void put(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values));
    }

    private void header(Object header) {
        text.append(' ').append(header);
    }

    @Override
    public void xrceth(Xrceth header) {
        header(header);
    }

    @Override
    public void deth(Deth header) {
        header(header);
    }

    @Override
    public void feth(Feth header) {
        header(header);
    }

    @Override
    public void reth(Reth header) {
        header(header);
    }

    @Override
    public void atomicEth(AtomicEth header) {
        header(header);
    }

    @Override
    public void aeth(Aeth header) {
        header(header);
    }

    @Override
    public void atomicAckEth(AtomicAckEth header) {
        header(header);
    }

    @Override
    public void immediate(ImmediateData header) {
        header(header);
    }

    @Override
    public void ieth(Ieth header) {
        header(header);
    }
}
