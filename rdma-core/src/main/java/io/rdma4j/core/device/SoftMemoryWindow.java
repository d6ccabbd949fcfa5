package io.rdma4j.core.device;

import io.rdma4j.core.engine.ObjectNumbers;
import io.rdma4j.core.memory.RegisteredMemory;
import io.rdma4j.verbs.MemoryWindow;
import io.rdma4j.verbs.MemoryWindowType;
import io.rdma4j.verbs.ProtectionDomain;
import java.util.concurrent.locks.ReentrantLock;

/** A memory window. What it is bound to is known to the engine alone; here is the key that was given out last. */
final class SoftMemoryWindow extends SoftObject implements MemoryWindow {
    private final SoftProtectionDomain domain;
    private final MemoryWindowType type;
    private final RegisteredMemory memory;
    private volatile int remoteKey;

    /** Held while a window of type 1 is bound: the next key follows from the last. */
    final ReentrantLock binding = new ReentrantLock();

    SoftMemoryWindow(SoftProtectionDomain domain, MemoryWindowType type, RegisteredMemory memory) {
        super(domain.device, memory.toString());
        this.domain = domain;
        this.type = type;
        this.memory = memory;
        this.remoteKey = memory.key();
    }

    RegisteredMemory memory() {
        return memory;
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public MemoryWindowType type() {
        return type;
    }

    @Override
    public int remoteKey() {
        return remoteKey;
    }

    /** A bind with this key was posted. */
    void remoteKey(int key) {
        remoteKey = key;
    }

    @Override
    void release() {
        device.engine().memory().deregister(memory);
        device.numbers().release(ObjectNumbers.Kind.MEMORY_WINDOW);
        domain.orphan(this);
    }
}
