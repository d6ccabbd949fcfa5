package io.rdma4j.verbs;

import io.rdma4j.verbs.spi.Arguments;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * The 16-byte address of a device ({@code ibv_gid}): an IPv4-mapped or IPv6 address. When the device's UDP port is not
 * 4791 the GID carries the port as well, so that the usual exchange of queue pair number, PSN and GID is enough to
 * reach it:
 *
 * <ul>
 *   <li>{@code fd72:646d:6134:6a04:<port>:0:<IPv4>} for an IPv4 address,
 *   <li>{@code fd72:646d:6134:6a06:<port>::1} for {@code ::1}; other IPv6 addresses need port 4791.
 * </ul>
 *
 * <p>Immutable.
 *
 * @param high the first eight bytes, big-endian
 * @param low the last eight bytes, big-endian
 */
public record Gid(long high, long low) {
    /** The UDP port of RoCEv2. */
    public static final int ROCE_PORT = 4791;

    /** Bytes of a GID. */
    public static final int LENGTH = 16;

    /** The empty GID, sixteen zero bytes. */
    public static final Gid ZERO = new Gid(0, 0);

    private static final int MIN_DEVICE_PORT = 1024;
    private static final int MAX_DEVICE_PORT = 49151;
    private static final long IPV4_MAPPED_PREFIX = 0x0000_FFFF_0000_0000L;
    private static final long IPV6_LOOPBACK_LOW = 1;

    /** The top byte of ff00::/8. */
    private static final long IPV6_MULTICAST = 0xFF;

    /** The top 36 bits of the lower half of ::ffff:224.0.0.0/4. */
    private static final long IPV4_MULTICAST = 0xFFFFEL;

    /** "rdma4j" in ASCII after fd, then 04 or 06 for the IP version. */
    private static final long PORT_FORM_IPV4 = 0xFD72_646D_6134_6A04L;

    private static final long PORT_FORM_IPV6 = 0xFD72_646D_6134_6A06L;

    /**
     * The GID of a device at port 4791.
     *
     * @param address IPv4 or IPv6 address; a scope is dropped
     * @return the IPv4-mapped or IPv6 address
     */
    public static Gid of(InetAddress address) {
        ByteBuffer bytes =
                ByteBuffer.wrap(Arguments.required(address, "address").getAddress());
        return bytes.remaining() == LENGTH
                ? new Gid(bytes.getLong(0), bytes.getLong(Long.BYTES))
                : ofIpv4(bytes.getInt(0));
    }

    static Gid ofIpv4(int address) {
        return new Gid(0, IPV4_MAPPED_PREFIX | Integer.toUnsignedLong(address));
    }

    /**
     * The GID of a device.
     *
     * @param address IPv4 or IPv6 address
     * @param port UDP port of the device: 4791, or 1024 to 49151
     * @return {@link #of(InetAddress)} for port 4791, else the form that carries the port
     * @throws RdmaException EINVAL if the port is out of range, or is not 4791 with an IPv6 address other than ::1
     */
    public static Gid of(InetAddress address, int port) {
        Gid plain = of(address);
        if (port == ROCE_PORT) {
            return plain;
        }
        if (port < MIN_DEVICE_PORT || port > MAX_DEVICE_PORT) {
            throw new RdmaException(
                    ErrorCode.EINVAL,
                    "device port " + port + " is neither 4791 nor in " + MIN_DEVICE_PORT + ".." + MAX_DEVICE_PORT);
        }
        long portBits = (long) port << 48;
        if (plain.isIpv4()) {
            return new Gid(PORT_FORM_IPV4, portBits | (plain.low & 0xFFFF_FFFFL));
        }
        if (plain.high == 0 && plain.low == IPV6_LOOPBACK_LOW) {
            return new Gid(PORT_FORM_IPV6, portBits | IPV6_LOOPBACK_LOW);
        }
        throw new RdmaException(
                ErrorCode.EINVAL,
                "device port " + port + " cannot be told in the GID of " + address.getHostAddress()
                        + ": IPv6 addresses other than ::1 need port " + ROCE_PORT);
    }

    /**
     * The GID of sixteen bytes.
     *
     * @param bytes sixteen bytes, network order
     * @return the GID
     * @throws RdmaException EINVAL if there are not sixteen
     */
    public static Gid ofBytes(byte[] bytes) {
        Arguments.required(bytes, "bytes");
        if (bytes.length != LENGTH) {
            throw new RdmaException(ErrorCode.EINVAL, "a GID has 16 bytes, not " + bytes.length);
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new Gid(buffer.getLong(0), buffer.getLong(Long.BYTES));
    }

    /**
     * Reads a GID as people and tools write it. Names are never looked up.
     *
     * @param text an IPv6 address in any of its forms, such as {@code fe80::1} or {@code ::ffff:192.0.2.1}; an IPv4
     *     address, which is mapped; or 32 hexadecimal digits
     * @return the GID
     * @throws RdmaException EINVAL if it is none of these
     */
    public static Gid parse(String text) {
        return GidText.parse(Arguments.required(text, "text"));
    }

    /** {@return the IP address of the device, without the port} */
    public InetAddress address() {
        ByteBuffer bytes = ByteBuffer.allocate(LENGTH);
        bytes.putLong(0, addressHigh()).putLong(Long.BYTES, addressLow());
        try {
            return isIpv4()
                    ? InetAddress.getByAddress(bytes.array())
                    : Inet6Address.getByAddress(null, bytes.array(), -1);
        } catch (UnknownHostException e) {
            throw new AssertionError("sixteen bytes are always an address", e);
        }
    }

    /** {@return the first eight bytes of the device's IP address, IPv4 as IPv4-mapped; no allocation} */
    public long addressHigh() {
        return isPortForm() ? 0 : high;
    }

    /** {@return the last eight bytes of the device's IP address, IPv4 as IPv4-mapped; no allocation} */
    public long addressLow() {
        if (!isPortForm()) {
            return low;
        }
        return high == PORT_FORM_IPV4 ? IPV4_MAPPED_PREFIX | (low & 0xFFFF_FFFFL) : IPV6_LOOPBACK_LOW;
    }

    /** {@return the UDP port of the device: 4791 unless the GID carries another} */
    public int devicePort() {
        return isPortForm() ? (int) (low >>> 48) : ROCE_PORT;
    }

    /** {@return whether the device's IP address is an IPv4 address} */
    public boolean isIpv4() {
        boolean mapped = high == 0 && low >>> 32 == IPV4_MAPPED_PREFIX >>> 32;
        return mapped || (high == PORT_FORM_IPV4 && isPortForm());
    }

    /**
     * Whether this is a group of receivers and no device ({@code rdma_is_multicast_addr}).
     *
     * @return true for an IPv4-mapped address in 224.0.0.0/4 and an IPv6 address in ff00::/8; a group carries no port
     */
    public boolean isMulticast() {
        return high >>> 56 == IPV6_MULTICAST || (high == 0 && low >>> 28 == IPV4_MULTICAST);
    }

    /** {@return the sixteen bytes, network order; a fresh array} */
    public byte[] bytes() {
        return ByteBuffer.allocate(LENGTH).putLong(high).putLong(low).array();
    }

    /** {@return 32 hexadecimal digits in lower case} */
    public String toHex() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(high) + hex.toHexDigits(low);
    }

    /** {@return eight groups of four hexadecimal digits, as tools print it: 0000:0000:0000:0000:0000:ffff:c000:0201} */
    @Override
    public String toString() {
        String digits = toHex();
        StringBuilder text = new StringBuilder(39);
        for (int i = 0; i < digits.length(); i += 4) {
            text.append(i == 0 ? "" : ":").append(digits, i, i + 4);
        }
        return text.toString();
    }

    private boolean isPortForm() {
        boolean ipv4 = high == PORT_FORM_IPV4 && (low >>> 32 & 0xFFFF) == 0;
        boolean ipv6 = high == PORT_FORM_IPV6 && (low & 0xFFFF_FFFF_FFFFL) == IPV6_LOOPBACK_LOW;
        return (ipv4 || ipv6) && low >>> 48 != 0;
    }
}
