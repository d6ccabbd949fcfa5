package io.rdma4j.tools.vsh.shell;

import static io.rdma4j.tools.vsh.shell.Parameter.choice;
import static io.rdma4j.tools.vsh.shell.Parameter.letters;
import static io.rdma4j.tools.vsh.shell.Parameter.number;
import static io.rdma4j.tools.vsh.shell.Parameter.text;

import io.rdma4j.tools.verbs.DirectMemory;
import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryRegionConfig;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;

/** Memory regions, and looking at and changing what is in them. */
final class MemoryCommands {
    private static final int PAGE = 4096;

    private final ShellObjects objects;

    MemoryCommands(ShellObjects objects) {
        this.objects = objects;
    }

    List<ShellCommand> commands() {
        Parameter offset = number("off", "0", "where in the region it begins, in bytes");
        Parameter length = number("len", "", "how many bytes; to the end of the region without it");
        return List.of(
                ShellCommand.of("mr", "allocate memory and register it (ibv_reg_mr)")
                        .creates(Kind.REGION)
                        .takes(
                                number("size", "4096", "bytes"),
                                letters("access", AccessLetters.OF_REGION, "lwra", AccessLetters.HELP),
                                number("iova", "", "address it has for peers; the device chooses without it"))
                        .does(this::register),
                ShellCommand.of("dereg", "deregister memory and free it (ibv_dereg_mr)")
                        .about(Kind.REGION)
                        .does(this::deregister),
                ShellCommand.of("fill", "fill memory: byte i becomes seed + i")
                        .about(Kind.REGION)
                        .takes(
                                offset,
                                length,
                                number("seed", "0", "the first byte"),
                                choice("mode", List.of("inc", "const"), "inc", "const: each byte becomes seed"))
                        .does(this::fill),
                ShellCommand.of("hex", "show bytes of memory in hexadecimal")
                        .about(Kind.REGION)
                        .takes(offset, number("len", "64", "how many bytes"))
                        .does(this::hex),
                ShellCommand.of("sum", "show the CRC-32 of memory")
                        .about(Kind.REGION)
                        .takes(offset, length)
                        .does(this::sum),
                ShellCommand.of("u64", "show 8 bytes of memory as a number, as atomics see it")
                        .about(Kind.REGION)
                        .takes(offset)
                        .does(this::u64),
                ShellCommand.of("poke", "write bytes into memory")
                        .about(Kind.REGION)
                        .takes(
                                offset,
                                number("u64", "", "a number of 8 bytes, as atomics see it"),
                                text("hex", "", "bytes in hexadecimal"))
                        .does(this::poke));
    }

    private Answer register(Arguments arguments) {
        int size = arguments.integer("size", 0, ShellLimits.MAX_REGION_BYTES);
        ShellRegion made =
                objects.regions.create(arguments.command(), arguments.newName(), () -> register(size, arguments));
        MemoryRegion region = made.region();
        return Answer.ok("addr=0x" + Long.toHexString(region.address()) + " lkey=0x"
                + Integer.toHexString(region.localKey()) + " rkey=0x" + Integer.toHexString(region.remoteKey())
                + " size=" + size);
    }

    private ShellRegion register(int size, Arguments arguments) {
        MemoryRegionConfig config = config(arguments, allocate(size));
        ByteBuffer bytes = config.buffers().get(0).duplicate().order(ByteOrder.nativeOrder());
        return new ShellRegion(Verbs.call("reg_mr", () -> objects.domain().registerMemory(config)), bytes);
    }

    private static MemoryRegionConfig config(Arguments arguments, ByteBuffer buffer) {
        return Verbs.call("reg_mr", () -> {
            MemoryRegionConfig config = MemoryRegionConfig.of(buffer)
                    .access(arguments.access("access").toArray(AccessFlag[]::new));
            if (arguments.has("iova")) {
                config = config.iova(arguments.number("iova"));
            }
            return arguments.letters("access").contains('i') ? config.remoteInvalidate() : config;
        });
    }

    /** Begins at a page, as memory of programs in C does. */
    private static ByteBuffer allocate(int size) {
        ByteBuffer room = DirectMemory.allocate(size + PAGE);
        int beyond = room.alignmentOffset(0, PAGE);
        return room.slice(beyond == 0 ? 0 : PAGE - beyond, size);
    }

    private Answer deregister(Arguments arguments) {
        ShellRegion region = region(arguments);
        Verbs.run("dereg_mr", region.region()::close);
        objects.regions.remove(String.valueOf(arguments.subject()));
        return Answer.ok();
    }

    private Answer fill(Arguments arguments) {
        ShellRegion region = region(arguments);
        Range range = Range.of(arguments, region, "fill");
        int seed = arguments.integer("seed", 0, 255);
        int step = arguments.choice("mode").equals("inc") ? 1 : 0;
        for (int i = 0; i < range.length(); i++) {
            region.bytes().put(range.offset() + i, (byte) (seed + i * step));
        }
        return crc(region, range);
    }

    private Answer hex(Arguments arguments) {
        ShellRegion region = region(arguments);
        Range range = Range.of(arguments, region, "hex");
        if (range.length() > ShellLimits.MAX_HEX_BYTES) {
            throw new Refusal("hex: range: at most " + ShellLimits.MAX_HEX_BYTES + " bytes at a time");
        }
        byte[] bytes = new byte[range.length()];
        region.bytes().get(range.offset(), bytes);
        return Answer.ok(HexFormat.of().formatHex(bytes));
    }

    private Answer sum(Arguments arguments) {
        ShellRegion region = region(arguments);
        return crc(region, Range.of(arguments, region, "hex"));
    }

    private static Answer crc(ShellRegion region, Range range) {
        return Answer.ok(String.format("crc=0x%08x", region.crc(range.offset(), range.length())));
    }

    private Answer u64(Arguments arguments) {
        ShellRegion region = region(arguments);
        Range range = Range.of(arguments.number("off"), Long.BYTES, region, "hex");
        return Answer.ok(String.format("v=0x%016x", region.bytes().getLong(range.offset())));
    }

    private Answer poke(Arguments arguments) {
        ShellRegion region = region(arguments);
        byte[] bytes = bytes(arguments);
        Range range = Range.of(arguments.number("off"), bytes.length, region, "poke");
        region.bytes().put(range.offset(), bytes);
        return Answer.ok();
    }

    private static byte[] bytes(Arguments arguments) {
        if (arguments.has("u64") == arguments.has("hex")) {
            throw new Refusal("poke: give either u64= or hex=");
        }
        if (arguments.has("u64")) {
            return ByteBuffer.allocate(Long.BYTES)
                    .order(ByteOrder.nativeOrder())
                    .putLong(arguments.number("u64"))
                    .array();
        }
        try {
            return HexFormat.of().parseHex(arguments.text("hex"));
        } catch (IllegalArgumentException e) {
            throw new Refusal("poke: hex=" + arguments.text("hex") + " is no bytes in hexadecimal");
        }
    }

    private ShellRegion region(Arguments arguments) {
        return arguments.existing(objects.regions);
    }

    /** Bytes of a region. */
    private record Range(int offset, int length) {
        static Range of(Arguments arguments, ShellRegion region, String who) {
            long offset = arguments.number("off");
            boolean toTheEnd = arguments.text("len").isEmpty();
            return of(offset, toTheEnd ? region.size() - offset : arguments.number("len"), region, who);
        }

        static Range of(long offset, long length, ShellRegion region, String who) {
            if (offset < 0 || length < 0 || offset > region.size() || length > region.size() - offset) {
                throw new Refusal(who + ": range: the region has " + region.size() + " bytes");
            }
            return new Range((int) offset, (int) length);
        }
    }
}
