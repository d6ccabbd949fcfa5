package io.rdma4j.verbs;

import io.rdma4j.verbs.spi.Arguments;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What to open: a scheme that names the provider, a host, and options. The typed form of a device URI such as
 * {@code udp://127.0.0.1?port=14791&mtu=4096}.
 *
 * <pre>{@code
 * DeviceConfig config = DeviceConfig.of("udp", "127.0.0.1").with("port", 14791).with("mtu", 4096);
 * RdmaDevice device = RdmaDevices.open(config);
 * }</pre>
 *
 * <p>Options that are not set here take their default from the system property {@code rdma4j.<option>}, and where there
 * is none from the provider. Immutable; equal when scheme, host and options are equal.
 */
public final class DeviceConfig {
    private final String scheme;
    private final String host;
    private final SortedMap<String, String> options;

    private DeviceConfig(String scheme, String host, SortedMap<String, String> options) {
        this.scheme = scheme;
        this.host = host;
        this.options = Collections.unmodifiableSortedMap(options);
    }

    /**
     * A configuration without options.
     *
     * @param scheme names the provider, such as {@code udp}
     * @param host the local address to open, or what the provider takes for it; an IPv6 address without brackets
     * @return the configuration
     * @throws RdmaException EINVAL if one of them is empty, or cannot stand in a URI
     */
    public static DeviceConfig of(String scheme, String host) {
        Arguments.required(scheme, "scheme");
        Arguments.required(host, "host");
        DeviceConfig config = parse(scheme + "://" + bracketed(host));
        if (!config.options.isEmpty() || !bracketed(config.host).equals(bracketed(host))) {
            throw bad(scheme + "://" + host, "\"" + host + "\" is not a host");
        }
        return config;
    }

    /**
     * Reads a device URI.
     *
     * @param uri {@code scheme://host?option=value&option=value}; an IPv6 host in brackets
     * @return the configuration
     * @throws RdmaException EINVAL if it is not of that form, with words that say where it is not
     */
    public static DeviceConfig parse(String uri) {
        Arguments.required(uri, "uri");
        URI parsed;
        try {
            parsed = new URI(uri);
        } catch (URISyntaxException e) {
            throw new RdmaException(ErrorCode.EINVAL, "device URI \"" + uri + "\": " + e.getReason(), e);
        }
        String scheme = parsed.getScheme();
        String host = parsed.getAuthority();
        if (scheme == null) {
            throw bad(uri, "it has no scheme; expected something like udp://127.0.0.1");
        }
        if (host == null || host.isEmpty()) {
            throw bad(uri, "it has no host; expected something like " + scheme + "://127.0.0.1");
        }
        if (parsed.getUserInfo() != null || host.indexOf('@') >= 0) {
            throw bad(uri, "a user does not belong in it");
        }
        if (parsed.getPort() >= 0) {
            throw bad(uri, "the port is an option: write ?port=" + parsed.getPort());
        }
        boolean isBracketed = host.startsWith("[") && host.endsWith("]");
        if (!isBracketed && host.indexOf(':') >= 0) {
            throw bad(
                    uri,
                    "\"" + host + "\" is not a host; an IPv6 address stands in brackets, as in " + scheme + "://[::1]");
        }
        String path = parsed.getPath();
        if (path != null && !path.isEmpty() && !path.equals("/")) {
            throw bad(uri, "a path does not belong in it: " + path);
        }
        if (parsed.getFragment() != null) {
            throw bad(uri, "a fragment does not belong in it: #" + parsed.getFragment());
        }
        return new DeviceConfig(
                scheme.toLowerCase(Locale.ROOT),
                isBracketed ? host.substring(1, host.length() - 1) : host,
                options(uri, parsed.getRawQuery()));
    }

    private static SortedMap<String, String> options(String uri, @Nullable String query) {
        SortedMap<String, String> options = new TreeMap<>();
        if (query == null || query.isEmpty()) {
            return options;
        }
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals <= 0) {
                throw bad(uri, "option \"" + pair + "\" is not of the form name=value");
            }
            String name = decode(pair.substring(0, equals));
            if (options.put(name, decode(pair.substring(equals + 1))) != null) {
                throw bad(uri, "option " + name + " stands in it twice");
            }
        }
        return options;
    }

    /** {@return the name of the provider, in lower case} */
    public String scheme() {
        return scheme;
    }

    /** {@return the host as given, an IPv6 address without brackets} */
    public String host() {
        return host;
    }

    /** {@return all options that are set, by name; unmodifiable} */
    public Map<String, String> options() {
        return options;
    }

    /**
     * The value of an option.
     *
     * @param name the option's name
     * @return its value, or null if it is not set
     */
    public @Nullable String option(String name) {
        return options.get(Arguments.required(name, "name"));
    }

    /**
     * The value of an option.
     *
     * @param name the option's name
     * @param absent what to return if the option is not set
     * @return its value, or the given one
     */
    public String option(String name, String absent) {
        return options.getOrDefault(Arguments.required(name, "name"), Arguments.required(absent, "absent"));
    }

    /**
     * The value of an option that is a whole number.
     *
     * @param name the option's name
     * @param absent what to return if the option is not set
     * @return its value, or the given one
     * @throws RdmaException EINVAL if the value is not a whole number of 32 bits
     */
    public int intOption(String name, int absent) {
        String value = option(name);
        if (value == null) {
            return absent;
        }
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new RdmaException(
                    ErrorCode.EINVAL, "option " + name + " is \"" + value + "\", which is not a whole number", e);
        }
    }

    /**
     * The same with one more option, or another value for it.
     *
     * @param name the option's name
     * @param value its value
     * @return a new configuration
     * @throws RdmaException EINVAL if the name is empty
     */
    public DeviceConfig with(String name, String value) {
        Arguments.required(name, "name");
        Arguments.required(value, "value");
        if (name.isEmpty()) {
            throw new RdmaException(ErrorCode.EINVAL, "an option needs a name");
        }
        SortedMap<String, String> more = new TreeMap<>(options);
        more.put(name, value);
        return new DeviceConfig(scheme, host, more);
    }

    /**
     * The same with one more option, or another value for it.
     *
     * @param name the option's name
     * @param value its value
     * @return a new configuration
     * @throws RdmaException EINVAL if the name is empty
     */
    public DeviceConfig with(String name, long value) {
        return with(name, Long.toString(value));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DeviceConfig that
                && scheme.equals(that.scheme)
                && host.equals(that.host)
                && options.equals(that.options);
    }

    @Override
    public int hashCode() {
        return (scheme.hashCode() * 31 + host.hashCode()) * 31 + options.hashCode();
    }

    /** {@return the device URI, options in the order of their names; {@link #parse} reads it back} */
    @Override
    public String toString() {
        StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");
        options.forEach((name, value) -> query.add(encode(name) + "=" + encode(value)));
        return scheme + "://" + bracketed(host) + query;
    }

    private static String bracketed(String host) {
        return host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host;
    }

    /** Form decoding takes a plus for a blank, a URI does not. */
    private static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static RdmaException bad(String uri, String why) {
        return new RdmaException(ErrorCode.EINVAL, "device URI \"" + uri + "\": " + why);
    }
}
