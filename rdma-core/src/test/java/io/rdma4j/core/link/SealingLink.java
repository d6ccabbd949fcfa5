package io.rdma4j.core.link;

import io.rdma4j.core.wire.Icrc;
import io.rdma4j.core.wire.PacketAddresses;
import io.rdma4j.verbs.Gid;
import java.nio.ByteBuffer;

/** A bottom link that seals and counts identifications as a socket with segmentation does. */
final class SealingLink implements Link {
    private final ByteBuffer frame = ByteBuffer.allocateDirect(256);
    private final Icrc icrc = new Icrc();
    private Path path;
    private int length;
    int identification = -1;
    int flushes;

    @Override
    public boolean claim(Path to, int bytes) {
        path = to;
        length = bytes;
        return true;
    }

    @Override
    public ByteBuffer buffer() {
        return frame;
    }

    @Override
    public int offset() {
        return 16;
    }

    @Override
    public void commit() {
        identification++;
        int value = icrc.compute(addresses(path.local(), path.remote()), identification, frame, offset(), length);
        Icrc.write(frame, offset() + length, value);
    }

    @Override
    public void cancel() {}

    @Override
    public void flush() {
        flushes++;
    }

    @Override
    public int lastIdentification() {
        return identification;
    }

    static PacketAddresses addresses(Gid from, Gid to) {
        return new PacketAddresses()
                .source(from.addressHigh(), from.addressLow(), from.devicePort())
                .destination(to.addressHigh(), to.addressLow(), to.devicePort());
    }
}
