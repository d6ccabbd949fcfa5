package io.rdma4j.core.memory;

/** The queue pair through which a key is used: what decides besides key, right and range (§11). */
public interface KeyUser {
    /** Its number: windows of type 2 belong to one. */
    int number();

    /** Its protection domain. */
    int protectionDomain();

    /** The windows of type 2 that were bound through it and still are. */
    WindowList windows();
}
