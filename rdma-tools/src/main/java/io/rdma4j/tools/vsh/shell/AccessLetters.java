package io.rdma4j.tools.vsh.shell;

import io.rdma4j.verbs.AccessFlag;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Access rights, each as a letter. */
final class AccessLetters {
    /** What to write for rights of a region or a queue pair. */
    static final List<String> ALL = List.of("l", "w", "r", "a", "b", "z", "o");

    /** A region's rights and, with i, that a peer may invalidate its keys. */
    static final List<String> OF_REGION = List.of("l", "w", "r", "a", "b", "z", "o", "i");

    static final String HELP = "l local write, w r a remote write read atomic, b bind, z zero-based";

    private AccessLetters() {}

    static Set<AccessFlag> flags(Set<Character> letters) {
        EnumSet<AccessFlag> flags = EnumSet.noneOf(AccessFlag.class);
        for (char letter : letters) {
            switch (letter) {
                case 'l' -> flags.add(AccessFlag.LOCAL_WRITE);
                case 'w' -> flags.add(AccessFlag.REMOTE_WRITE);
                case 'r' -> flags.add(AccessFlag.REMOTE_READ);
                case 'a' -> flags.add(AccessFlag.REMOTE_ATOMIC);
                case 'b' -> flags.add(AccessFlag.MEMORY_WINDOW_BIND);
                case 'z' -> flags.add(AccessFlag.ZERO_BASED);
                default -> {
                    // o, relaxed ordering: memory here is ordered strongly, which the flag allows as well
                }
            }
        }
        return flags;
    }
}
