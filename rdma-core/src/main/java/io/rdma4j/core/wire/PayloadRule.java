package io.rdma4j.core.wire;

/** How much payload an opcode carries (§2). Whether it fits the path MTU of a queue pair is the engine's to check. */
public enum PayloadRule {
    /** No payload at all. */
    NONE,
    /** Exactly one path MTU: the packet is not the last of its message. */
    FULL,
    /** One byte up to the path MTU. */
    SOME,
    /** Nothing up to the path MTU. */
    ANY,
    /** Exactly eight bytes: ATOMIC WRITE. */
    EIGHT
}
