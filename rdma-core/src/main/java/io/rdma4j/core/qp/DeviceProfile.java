package io.rdma4j.core.qp;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Sets of {@link DeviceLimit}s: which device ours is like in what it grants. */
public enum DeviceProfile {
    /** Room for most programs, at a cost in memory that a test machine can bear. */
    DEFAULT("default"),
    /** The figures of the Linux kernel's rdma_rxe. */
    RXE_LIKE("rxe-like"),
    /** Those of a usual network adapter, where our tables hold as much. */
    CONNECTX_LIKE("ConnectX-like"),
    /** So little that a test reaches every limit at once. */
    TINY("tiny");

    private final String text;

    DeviceProfile(String text) {
        this.text = text;
    }

    /** As the option {@code profile} names it. */
    public String text() {
        return text;
    }

    /**
     * The profile of a name, in upper or lower case.
     *
     * @throws IllegalArgumentException naming all there are
     */
    public static DeviceProfile parse(String name) {
        for (DeviceProfile profile : values()) {
            if (profile.text.equalsIgnoreCase(name)) {
                return profile;
            }
        }
        throw new IllegalArgumentException("must be one of "
                + Arrays.stream(values()).map(DeviceProfile::text).collect(Collectors.joining(", ")));
    }
}
