package io.rdma4j.verbs;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A queue pair that records what it is told, takes every state, and has room for a few requests. */
final class FakeQueuePair implements QueuePair {
    static final QueuePairAddress LOCAL = new QueuePairAddress(0x11, 0x222222, Gid.parse("192.0.2.2"));

    final List<QueuePairAttributes> modified = new ArrayList<>();
    final List<Object> posted = new ArrayList<>();
    private final QueuePairType type;
    private final int room;
    private QueuePairState state = QueuePairState.RESET;

    FakeQueuePair(QueuePairType type, int room) {
        this.type = type;
        this.room = room;
    }

    @Override
    public int number() {
        return LOCAL.queuePairNumber();
    }

    @Override
    public QueuePairType type() {
        return type;
    }

    @Override
    public QueuePairState state() {
        return state;
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return new FakeDevice(DeviceConfig.of("fake", "here")).allocateProtectionDomain();
    }

    @Override
    public CompletionQueue sendCompletionQueue() {
        throw FakeDevice.unsupported();
    }

    @Override
    public CompletionQueue receiveCompletionQueue() {
        throw FakeDevice.unsupported();
    }

    @Override
    public @Nullable SharedReceiveQueue sharedReceiveQueue() {
        return null;
    }

    @Override
    public int bindMemoryWindow(
            long workRequestId, MemoryWindow window, MemoryWindowBinding binding, boolean signaled) {
        throw FakeDevice.unsupported();
    }

    @Override
    public void attachMulticast(Gid group) {
        throw FakeDevice.unsupported();
    }

    @Override
    public void detachMulticast(Gid group) {
        throw FakeDevice.unsupported();
    }

    @Override
    public QueuePairCapabilities capabilities() {
        return QueuePairCapabilities.DEFAULT;
    }

    @Override
    public QueuePairAddress localAddress() {
        return LOCAL;
    }

    @Override
    public void modify(QueuePairAttributes attributes) {
        modified.add(attributes);
        state = attributes.state();
    }

    @Override
    public QueuePairAttributes query() {
        throw FakeDevice.unsupported();
    }

    @Override
    public void postSend(SendRequest request) {
        post(request);
    }

    @Override
    public void postReceive(ReceiveRequest request) {
        post(request);
    }

    @Override
    public void close() {}

    private void post(Object request) {
        if (posted.size() == room) {
            throw new RdmaException(ErrorCode.ENOMEM, "the queue is full");
        }
        posted.add(request);
    }
}
