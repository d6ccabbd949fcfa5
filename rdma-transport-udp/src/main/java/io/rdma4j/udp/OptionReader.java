package io.rdma4j.udp;

import io.rdma4j.verbs.DeviceConfig;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.RdmaException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the values of named options and refuses, by name, what it cannot understand. */
final class OptionReader {
    private final Map<String, String> values;

    /** Reads the options of a configuration, which are all known and complete with their defaults. */
    OptionReader(DeviceConfig config) {
        this.values = config.options();
    }

    @Nullable
    String text(String name) {
        return values.get(name);
    }

    int integer(String name, int otherwise, int least, int most) {
        String value = values.get(name);
        if (value == null) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // told below, together with numbers out of range
        }
        throw refuse(name, "must be a number from " + least + " to " + most);
    }

    boolean autoOrOff(String name) {
        return switch (values.getOrDefault(name, "auto")) {
            case "auto" -> true;
            case "off" -> false;
            default -> throw refuse(name, "must be auto or off");
        };
    }

    /** One constant of an enum, written in lower case. */
    <E extends Enum<E>> E choice(String name, E otherwise) {
        String value = values.get(name);
        if (value == null) {
            return otherwise;
        }
        E[] constants = otherwise.getDeclaringClass().getEnumConstants();
        for (E constant : constants) {
            if (lower(constant).equals(value)) {
                return constant;
            }
        }
        throw refuse(
                name,
                "must be one of "
                        + Arrays.stream(constants).map(OptionReader::lower).collect(Collectors.joining(", ")));
    }

    /** The exception that says which option is wrong and how. */
    RdmaException refuse(String name, String rule) {
        return new RdmaException(ErrorCode.EINVAL, "option " + name + "=" + values.get(name) + " for udp://: " + rule);
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
