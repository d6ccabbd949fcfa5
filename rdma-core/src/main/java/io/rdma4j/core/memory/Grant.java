package io.rdma4j.core.memory;

/**
 * What a key stands for besides its bytes.
 *
 * @param address what the first byte is called
 * @param access bits of {@code ibv_access_flags}
 * @param invalidatable whether a peer may end the key (§7.2(8))
 */
public record Grant(long address, int access, int protectionDomain, boolean invalidatable) {}
