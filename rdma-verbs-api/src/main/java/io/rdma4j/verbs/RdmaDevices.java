package io.rdma4j.verbs;

import io.rdma4j.verbs.spi.Arguments;
import io.rdma4j.verbs.spi.RdmaProvider;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Opens and lists devices. Providers are found by {@link ServiceLoader}, on the class path and on the module path.
 *
 * <pre>{@code
 * try (RdmaDevice device = RdmaDevices.open("udp://127.0.0.1");
 *         ProtectionDomain pd = device.allocateProtectionDomain();
 *         CompletionQueue cq = device.createCompletionQueue(256);
 *         MemoryRegion region = pd.registerMemory(ByteBuffer.allocateDirect(1 << 20), LOCAL_WRITE, REMOTE_WRITE);
 *         QueuePair qp = pd.createQueuePair(QueuePairConfig.reliable(cq))) {
 *     qp.connect(peer);
 *     qp.postSend(RdmaWrite.of(1L, region.slice(0, 4096)).to(peerAddress, peerKey).signaled());
 *     WorkCompletion[] done = WorkCompletion.array(16);
 *     int n = cq.poll(done);
 * }
 * }</pre>
 *
 * <p>Options that a URI does not set take their default from the system property {@code rdma4j.<option>}. An option or
 * such a property that nobody knows is refused by name; properties with a further dot, such as {@code rdma4j.test.seed},
 * are none of these.
 *
 * <p>Threading: all methods are thread-safe.
 */
public final class RdmaDevices {
    private static final String PROPERTY_PREFIX = "rdma4j.";

    private RdmaDevices() {}

    /**
     * Opens a device ({@code ibv_open_device}).
     *
     * @param uri {@code scheme://host?option=value&…}, such as {@code udp://127.0.0.1?port=14791&mtu=4096}
     * @return the open device; close it when done
     * @throws RdmaException EINVAL for a malformed URI, an unknown scheme, an unknown option or an unknown
     *     {@code rdma4j.} system property, each by name; or what the provider says, such as EADDRINUSE
     */
    public static RdmaDevice open(String uri) {
        return open(DeviceConfig.parse(uri));
    }

    /**
     * Opens a device ({@code ibv_open_device}).
     *
     * @param config what to open
     * @return the open device; close it when done
     * @throws RdmaException as {@link #open(String)}
     */
    public static RdmaDevice open(DeviceConfig config) {
        Arguments.required(config, "config");
        Map<String, RdmaProvider> providers = providers();
        RdmaProvider provider = providers.get(config.scheme());
        if (provider == null) {
            throw new RdmaException(
                    ErrorCode.EINVAL,
                    "no provider for the scheme \"" + config.scheme() + "\" of " + config + "; installed: "
                            + (providers.isEmpty()
                                    ? "none (is rdma-transport-udp on the class path?)"
                                    : String.join(", ", providers.keySet())));
        }
        return provider.open(complete(config, provider, providers.values()));
    }

    /**
     * What could be opened now ({@code ibv_get_device_list}).
     *
     * @return the devices of all installed providers; empty if there are none
     */
    public static List<DeviceInfo> list() {
        List<DeviceInfo> devices = new ArrayList<>();
        providers().values().forEach(provider -> devices.addAll(provider.list()));
        return List.copyOf(devices);
    }

    /** Refuses options and properties that nobody knows, and fills in the defaults that the properties give. */
    private static DeviceConfig complete(
            DeviceConfig config, RdmaProvider provider, Collection<RdmaProvider> providers) {
        Set<String> known = new TreeSet<>(provider.optionNames());
        for (String name : config.options().keySet()) {
            if (!known.contains(name)) {
                throw new RdmaException(
                        ErrorCode.EINVAL, "unknown option \"" + name + "\" in " + config + "; known: " + list(known));
            }
        }
        Set<String> knownToAny = new TreeSet<>();
        providers.forEach(each -> knownToAny.addAll(each.optionNames()));
        DeviceConfig complete = config;
        for (String property : System.getProperties().stringPropertyNames()) {
            if (!isOptionProperty(property)) {
                continue;
            }
            String name = property.substring(PROPERTY_PREFIX.length());
            if (!knownToAny.contains(name)) {
                throw new RdmaException(
                        ErrorCode.EINVAL,
                        "unknown system property " + property + "; known options: " + list(knownToAny));
            }
            if (known.contains(name) && config.option(name) == null) {
                complete = complete.with(name, System.getProperty(property));
            }
        }
        return complete;
    }

    /** Names with a further dot, such as {@code rdma4j.test.seed}, belong to tools and tests. */
    private static boolean isOptionProperty(String property) {
        return property.startsWith(PROPERTY_PREFIX) && property.indexOf('.', PROPERTY_PREFIX.length()) < 0;
    }

    private static String list(Set<String> names) {
        return names.isEmpty() ? "none" : String.join(", ", names);
    }

    /** All providers by scheme, those that the context class loader sees first. */
    private static Map<String, RdmaProvider> providers() {
        Map<String, RdmaProvider> providers = new TreeMap<>();
        ServiceLoader.load(RdmaProvider.class).forEach(each -> providers.putIfAbsent(each.scheme(), each));
        ServiceLoader.load(RdmaProvider.class, RdmaDevices.class.getClassLoader())
                .forEach(each -> providers.putIfAbsent(each.scheme(), each));
        return providers;
    }
}
