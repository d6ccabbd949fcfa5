package io.rdma4j.core.qp;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/** What one device grants: a profile, or a profile with some figures changed. Immutable. */
public final class DeviceLimits {
    /** Those of {@link DeviceProfile#DEFAULT}. */
    public static final DeviceLimits DEFAULT = of(DeviceProfile.DEFAULT);

    private final Map<DeviceLimit, Long> figures;

    private DeviceLimits(Map<DeviceLimit, Long> figures) {
        this.figures = Collections.unmodifiableMap(figures);
    }

    public static DeviceLimits of(DeviceProfile profile) {
        Map<DeviceLimit, Long> figures = new EnumMap<>(DeviceLimit.class);
        for (DeviceLimit limit : DeviceLimit.values()) {
            figures.put(limit, limit.in(profile));
        }
        return new DeviceLimits(figures);
    }

    /** The same with another figure for one limit. */
    public DeviceLimits with(DeviceLimit limit, long figure) {
        Map<DeviceLimit, Long> changed = new EnumMap<>(figures);
        changed.put(limit, figure);
        return new DeviceLimits(changed);
    }

    /** The figure of a limit that is a count. */
    public int max(DeviceLimit limit) {
        return Math.toIntExact(maxLong(limit));
    }

    /** The figure of a limit, which may be one of bytes. */
    public long maxLong(DeviceLimit limit) {
        Long figure = figures.get(limit);
        return figure == null ? 0 : figure;
    }

    @Override
    public String toString() {
        return figures.toString();
    }
}
