package io.rdma4j.core.tape;

import io.rdma4j.core.link.Egress;
import io.rdma4j.core.link.Path;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Keeps what the engine sends, and refuses when told to. */
final class RecordingLink implements Egress {
    /** Not at index 0, so that an engine that ignores {@link #offset} shows. */
    private static final int OFFSET = 48;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(16 << 10);
    final List<byte[]> frames = new ArrayList<>();
    final List<Path> paths = new ArrayList<>();

    /** How many more claims succeed. */
    int room = Integer.MAX_VALUE;

    private Path claimedPath;
    private int claimed;

    @Override
    public boolean claim(Path path, int length) {
        if (claimed != 0 || length % 4 != 0) {
            throw new IllegalStateException("claim of " + length + " bytes while " + claimed + " are claimed");
        }
        if (room == 0) {
            return false;
        }
        room--;
        claimed = length;
        claimedPath = path;
        for (int i = 0; i < length; i++) {
            buffer.put(OFFSET + i, (byte) 0x5A); // a link does not clear its buffer
        }
        return true;
    }

    @Override
    public ByteBuffer buffer() {
        return buffer;
    }

    @Override
    public int offset() {
        return OFFSET;
    }

    @Override
    public void commit() {
        byte[] frame = new byte[claimed];
        buffer.get(OFFSET, frame);
        frames.add(frame);
        paths.add(claimedPath);
        claimed = 0;
    }

    @Override
    public void cancel() {
        claimed = 0;
    }
}
