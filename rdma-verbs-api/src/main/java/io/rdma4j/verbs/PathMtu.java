package io.rdma4j.verbs;

/** The largest payload of one packet ({@code ibv_mtu}); both ends of a connection must agree on it. */
public enum PathMtu {
    /** 256 bytes. */
    MTU_256(1, 256),
    /** 512 bytes. */
    MTU_512(2, 512),
    /** 1024 bytes: what fits a 1500-byte Ethernet. */
    MTU_1024(3, 1024),
    /** 2048 bytes. */
    MTU_2048(4, 2048),
    /** 4096 bytes. */
    MTU_4096(5, 4096);

    private static final PathMtu[] VALUES = values();

    private final int code;
    private final int bytes;

    PathMtu(int code, int bytes) {
        this.code = code;
        this.bytes = bytes;
    }

    /** {@return the number in {@code ibv_mtu}, 1 to 5} */
    public int code() {
        return code;
    }

    /** {@return payload bytes per packet, 256 to 4096} */
    public int bytes() {
        return bytes;
    }

    /**
     * The MTU of exactly so many bytes.
     *
     * @param bytes 256, 512, 1024, 2048 or 4096
     * @return the constant
     * @throws RdmaException EINVAL for any other number
     */
    public static PathMtu ofBytes(int bytes) {
        for (PathMtu mtu : VALUES) {
            if (mtu.bytes == bytes) {
                return mtu;
            }
        }
        throw new RdmaException(
                ErrorCode.EINVAL, "path MTU " + bytes + " is none of 256, 512, 1024, 2048 and 4096 bytes");
    }

    /**
     * The MTU of a code.
     *
     * @param code 1 to 5
     * @return the constant
     * @throws RdmaException EINVAL for any other number
     */
    public static PathMtu ofCode(int code) {
        if (code < 1 || code > VALUES.length) {
            throw new RdmaException(ErrorCode.EINVAL, "path MTU code " + code + " is not in 1..5");
        }
        return VALUES[code - 1];
    }

    /**
     * The largest MTU that fits.
     *
     * @param bytes room for payload, at least 256
     * @return the largest constant whose {@link #bytes()} are not above
     * @throws RdmaException EINVAL if not even 256 bytes fit
     */
    public static PathMtu largestNotAbove(int bytes) {
        for (int i = VALUES.length - 1; i >= 0; i--) {
            if (VALUES[i].bytes <= bytes) {
                return VALUES[i];
            }
        }
        throw new RdmaException(ErrorCode.EINVAL, "no path MTU fits in " + bytes + " bytes; the smallest is 256");
    }

    /** {@return the C name, such as {@code IBV_MTU_1024}} */
    @Override
    public String toString() {
        return "IBV_" + name();
    }
}
