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
import io.rdma4j.core.wire.PacketAddresses;
import io.rdma4j.core.wire.Reth;
import io.rdma4j.core.wire.Syndrome;
import io.rdma4j.core.wire.Xrceth;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Shows a frame as named values in the order of the wire. Values are strings, numbers, booleans and maps of them; what is
 * an address, a key or raw bits is hexadecimal text, since 64 bits do not survive as a JSON number.
 */
final class FrameFields implements HeaderVisitor {
    private final RoceFrame frame;
    private final Map<String, Object> fields = new LinkedHashMap<>();

    FrameFields(RoceFrame frame) {
        this.frame = frame;
    }

    Map<String, Object> toMap() {
        fields.put("timestampNanos", frame.timestampNanos());
        fields.put("ip", ip());
        fields.put("udp", udp());
        fields.put("bth", bth(frame.bth()));
        if (frame.malformed() == null) {
            frame.visitHeaders(this);
            fields.put("payloadLength", frame.packet().payloadLength());
        } else {
            fields.put("malformed", frame.malformed().name());
        }
        Map<String, Object> icrc = new LinkedHashMap<>();
        icrc.put("value", hex8(frame.icrc()));
        icrc.put("computed", hex8(frame.computeIcrc()));
        icrc.put("valid", frame.isIcrcValid());
        fields.put("icrc", icrc);
        return fields;
    }

    private Map<String, Object> ip() {
        PacketAddresses addresses = frame.addresses();
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("version", frame.isIpv4() ? 4 : 6);
        map.put("source", IpText.of(addresses.sourceHigh, addresses.sourceLow));
        map.put("destination", IpText.of(addresses.destinationHigh, addresses.destinationLow));
        map.put("trafficClass", frame.trafficClass());
        map.put("hopLimit", frame.hopLimit());
        Ipv4Header ipv4 = frame.ipv4();
        Ipv6Header ipv6 = frame.ipv6();
        if (ipv4 != null) {
            map.put("identification", ipv4.identification());
            map.put("dontFragment", ipv4.dontFragment());
            map.put("checksumValid", ipv4.checksum() == ipv4.computeChecksum());
        } else if (ipv6 != null) {
            map.put("flowLabel", ipv6.flowLabel());
        }
        return map;
    }

    private Map<String, Object> udp() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("sourcePort", frame.udp().sourcePort());
        map.put("destinationPort", frame.udp().destinationPort());
        map.put("length", frame.udp().length());
        map.put("checksum", frame.udp().checksum());
        return map;
    }

    private static Map<String, Object> bth(Bth bth) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("opcode", FrameText.opcodeName(bth.opcode()));
        map.put("opcodeCode", bth.opcode());
        map.put("solicited", bth.solicited());
        map.put("migrated", bth.migrated());
        map.put("padCount", bth.padCount());
        map.put("version", bth.version());
        map.put("pkey", "0x%04x".formatted(bth.pkey()));
        map.put("fecn", bth.fecn());
        map.put("becn", bth.becn());
        map.put("destinationQp", bth.destinationQp());
        map.put("ackRequest", bth.ackRequest());
        map.put("psn", bth.psn());
        return map;
    }

    @Override
    public void xrceth(Xrceth header) {
        fields.put("xrceth", Map.of("srqNumber", header.srqNumber()));
    }

    @Override
    public void deth(Deth header) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("qkey", hex8(header.qkey()));
        map.put("sourceQp", header.sourceQp());
        fields.put("deth", map);
    }

    @Override
    public void feth(Feth header) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("selectivity", header.selectivity());
        map.put("placement", header.placement());
        fields.put("feth", map);
    }

    @Override
    public void reth(Reth header) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("address", hex16(header.address()));
        map.put("key", hex8(header.key()));
        map.put("length", header.length());
        fields.put("reth", map);
    }

    @Override
    public void atomicEth(AtomicEth header) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("address", hex16(header.address()));
        map.put("key", hex8(header.key()));
        map.put("swapOrAdd", hex16(header.swapOrAdd()));
        map.put("compare", hex16(header.compare()));
        fields.put("atomicEth", map);
    }

    @Override
    public void aeth(Aeth header) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("syndrome", header.syndrome());
        map.put("meaning", Syndrome.describe(header.syndrome()));
        map.put("msn", header.msn());
        fields.put("aeth", map);
    }

    @Override
    public void atomicAckEth(AtomicAckEth header) {
        fields.put("atomicAckEth", Map.of("original", hex16(header.original())));
    }

    @Override
    public void immediate(ImmediateData header) {
        fields.put("immediate", hex8(header.value()));
    }

    @Override
    public void ieth(Ieth header) {
        fields.put("ieth", Map.of("key", hex8(header.key())));
    }

    private static String hex8(int value) {
        return "0x%08x".formatted(value);
    }

    private static String hex16(long value) {
        return "0x%016x".formatted(value);
    }
}
