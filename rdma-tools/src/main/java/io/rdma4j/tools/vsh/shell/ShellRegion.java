package io.rdma4j.tools.vsh.shell;

import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.ScatterGatherElement;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * A memory region and its bytes.
 *
 * @param region as registered
 * @param bytes all of them, from index 0
 */
record ShellRegion(MemoryRegion region, ByteBuffer bytes) {
    int size() {
        return bytes.capacity();
    }

    /** The bytes from {@code offset} on; both must lie in the region. */
    ByteBuffer slice(int offset, int length) {
        return bytes.slice(offset, length);
    }

    int crc(int offset, int length) {
        CRC32 crc = new CRC32();
        crc.update(slice(offset, length));
        return (int) crc.getValue();
    }

    /** A piece for a work request; nothing is checked, so that the device's own checks can be seen. */
    ScatterGatherElement element(long offset, long length, int key) {
        return new ScatterGatherElement(region.address() + offset, length, key);
    }
}
