package io.rdma4j.tools.vsh.shell;

import static io.rdma4j.tools.vsh.shell.Parameter.choice;
import static io.rdma4j.tools.vsh.shell.Parameter.letters;
import static io.rdma4j.tools.vsh.shell.Parameter.number;
import static io.rdma4j.tools.vsh.shell.Parameter.object;

import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.MemoryWindow;
import io.rdma4j.verbs.MemoryWindowBinding;
import io.rdma4j.verbs.MemoryWindowType;
import io.rdma4j.verbs.QueuePair;
import java.util.List;

/** Memory windows and address handles. */
final class WindowCommands {
    private final ShellObjects objects;

    WindowCommands(ShellObjects objects) {
        this.objects = objects;
    }

    List<ShellCommand> commands() {
        return List.of(
                ShellCommand.of("mw", "allocate a memory window (ibv_alloc_mw)")
                        .creates(Kind.WINDOW)
                        .takes(choice("type", List.of("1", "2"), "2", "how it is bound: by bind1, or by send op=bind"))
                        .does(this::allocate),
                ShellCommand.of("bind1", "bind a memory window of type 1 (ibv_bind_mw)")
                        .about(Kind.QUEUE_PAIR)
                        .takes(
                                object(Kind.WINDOW, "mw", "", "the window"),
                                object(Kind.REGION, "mr", "", "the region it opens a part of"),
                                number("off", "0", "where in the region it begins"),
                                number("len", "", "how many bytes; the size of the region without it"),
                                letters("access", AccessLetters.ALL, "wr", "what peers may do through it"),
                                number("wrid", "0", "comes back in the completion"))
                        .does(this::bind),
                ShellCommand.of("dealloc_mw", "free a memory window (ibv_dealloc_mw)")
                        .mayBeAbout(Kind.WINDOW)
                        .does(this::deallocate),
                ShellCommand.of("ah", "create an address handle, for datagrams (ibv_create_ah)")
                        .creates(Kind.ADDRESS_HANDLE)
                        .takes(Addressing.PARAMETERS)
                        .does(this::addressHandle));
    }

    /** What a window is bound to, by the arguments mr=, off=, len= and access=. */
    static MemoryWindowBinding binding(Arguments arguments, ShellObjects objects) {
        ShellRegion region = arguments.object("mr", objects.regions);
        return new MemoryWindowBinding(
                region.region(),
                region.region().address() + arguments.number("off"),
                arguments.number("len", region.size()),
                arguments.access("access"));
    }

    private Answer allocate(Arguments arguments) {
        MemoryWindowType type =
                arguments.choice("type").equals("1") ? MemoryWindowType.TYPE_1 : MemoryWindowType.TYPE_2;
        MemoryWindow made = objects.windows.create(
                arguments.command(),
                arguments.newName(),
                () -> Verbs.call("alloc_mw", () -> objects.domain().allocateMemoryWindow(type)));
        return key(made.remoteKey());
    }

    private Answer bind(Arguments arguments) {
        QueuePair pair = arguments.existing(objects.queuePairs);
        MemoryWindow window = arguments.object("mw", objects.windows);
        MemoryWindowBinding binding = binding(arguments, objects);
        long id = arguments.number("wrid");
        return key(Verbs.call("bind_mw", () -> pair.bindMemoryWindow(id, window, binding, true)));
    }

    static Answer key(int key) {
        return Answer.ok("rkey=0x" + Integer.toHexString(key));
    }

    private Answer deallocate(Arguments arguments) {
        MemoryWindow window = objects.windows.find(arguments.subject());
        if (window == null) {
            throw new Refusal("dealloc_mw: " + ErrorWords.of(ErrorCode.ENOENT));
        }
        Verbs.run("dealloc_mw", window::close);
        objects.windows.remove(String.valueOf(arguments.subject()));
        return Answer.ok();
    }

    private Answer addressHandle(Arguments arguments) {
        var vector = Verbs.call("create_ah", () -> Addressing.vector(arguments, objects.device(), "ah: dip"));
        objects.addressHandles.create(
                arguments.command(),
                arguments.newName(),
                () -> Verbs.call("create_ah", () -> objects.domain().createAddressHandle(vector)));
        return Answer.ok();
    }
}
