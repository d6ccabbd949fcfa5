package io.rdma4j.tools.vsh.shell;

import static io.rdma4j.tools.vsh.shell.Parameter.number;
import static io.rdma4j.tools.vsh.shell.Parameter.object;

import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.ScatterGatherElement;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The memory of a request: {@code mr= off= len= lkey=}, and {@code mr2= off2=...} to {@code mr8=}. */
final class Elements {
    private Elements() {}

    static List<Parameter> parameters() {
        List<Parameter> all = new ArrayList<>(List.of(
                object(Kind.REGION, "mr", "", "the region"),
                number("off", "0", "where in it"),
                number("len", "", "bytes; to the end of the region without it"),
                number("lkey", "", "another key than the region's own"),
                object(Kind.REGION, "mr2", "", "a second element, with off2= len2= lkey2=, and so on up to mr8=")));
        for (int i = 2; i <= ShellLimits.MAX_ELEMENTS; i++) {
            if (i > 2) {
                all.add(object(Kind.REGION, name("mr", i), "", ""));
            }
            all.add(number(name("off", i), "0", ""));
            all.add(number(name("len", i), "", ""));
            all.add(number(name("lkey", i), "", ""));
        }
        return all;
    }

    /** Pieces of registered memory. */
    static ScatterGatherElement[] registered(Arguments arguments, ShellObjects objects) {
        List<ScatterGatherElement> all = new ArrayList<>();
        for (int i = 1; i <= ShellLimits.MAX_ELEMENTS && arguments.has(name("mr", i)); i++) {
            ShellRegion region = arguments.object(name("mr", i), objects.regions);
            long offset = arguments.number(name("off", i));
            long length = arguments.number(name("len", i), region.size() - offset);
            String key = name("lkey", i);
            int lkey =
                    arguments.has(key) ? arguments.word(key) : region.region().localKey();
            all.add(element(arguments, region, offset, length, lkey));
        }
        return all.toArray(ScatterGatherElement[]::new);
    }

    private static ScatterGatherElement element(
            Arguments arguments, ShellRegion region, long offset, long length, int key) {
        try {
            return region.element(offset, length, key);
        } catch (RdmaException e) {
            throw new Refusal(arguments.command() + ": range: " + length + " bytes at offset " + offset);
        }
    }

    /** The same as bytes that need not be registered, for inline data: these must lie within their regions. */
    static ByteBuffer[] inline(Arguments arguments, ShellObjects objects) {
        List<ByteBuffer> all = new ArrayList<>();
        for (int i = 1; i <= ShellLimits.MAX_ELEMENTS && arguments.has(name("mr", i)); i++) {
            ShellRegion region = arguments.object(name("mr", i), objects.regions);
            long offset = arguments.number(name("off", i));
            long length = arguments.number(name("len", i), region.size() - offset);
            if (offset < 0 || length < 0 || offset > region.size() || length > region.size() - offset) {
                throw new Refusal(arguments.command() + ": range: the region has " + region.size() + " bytes");
            }
            all.add(region.slice((int) offset, (int) length));
        }
        return all.toArray(ByteBuffer[]::new);
    }

    private static String name(String what, int index) {
        return index == 1 ? what : what + index;
    }
}
