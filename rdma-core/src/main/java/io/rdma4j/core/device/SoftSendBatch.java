package io.rdma4j.core.device;

import io.rdma4j.core.queue.RequestKind;
import io.rdma4j.core.queue.ScatterGatherList;
import io.rdma4j.core.queue.SendQueue;
import io.rdma4j.core.queue.SendWorkEntry;
import io.rdma4j.verbs.AddressHandle;
import io.rdma4j.verbs.BindMemoryWindow;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.LocalInvalidate;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.MemoryWindow;
import io.rdma4j.verbs.MemoryWindowBinding;
import io.rdma4j.verbs.RdmaException;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.SendBatch;
import io.rdma4j.verbs.SendRequest;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Requests on their way into a send queue, in slots of their own that change places with those of the queue when the batch
 * is complete (§19): nothing is copied then, and no lock is held before. Used by the thread that started it alone.
 */
final class SoftSendBatch extends StagedRequests implements SendBatch {
    private final SendBatches home;
    /** Null while nobody has started it. Read by strangers, who find somebody else or nobody. */
    private volatile @Nullable Thread owner;

    /** The next of those that wait to be started. */
    @Nullable
    SoftSendBatch nextIdle;

    SoftSendBatch(SendBatches home, SendPosting posting, SendQueue queue) {
        super(posting, queue);
        this.home = home;
    }

    void start() {
        owner = Thread.currentThread();
    }

    @Override
    void requireMine() {
        Thread starter = owner;
        if (starter == Thread.currentThread()) {
            return;
        }
        throw new RdmaException(
                ErrorCode.EINVAL,
                starter == null
                        ? "this batch is not started: it was completed or aborted; ask the queue pair for another"
                        : "this batch belongs to thread " + starter.getName());
    }

    @Override
    public SendBatch workRequestId(long id) {
        requireMine();
        nextId = id;
        return this;
    }

    @Override
    public SendBatch signaled() {
        requireMine();
        nextSignaled = true;
        return this;
    }

    @Override
    public SendBatch solicited() {
        requireMine();
        nextSolicited = true;
        return this;
    }

    @Override
    public SendBatch fenced() {
        requireMine();
        nextFenced = true;
        return this;
    }

    @Override
    public SendBatch send() {
        begin(RequestKind.SEND);
        return this;
    }

    @Override
    public SendBatch sendWithImmediate(int immediate) {
        begin(RequestKind.SEND_WITH_IMMEDIATE).immediate = immediate;
        return this;
    }

    @Override
    public SendBatch sendWithInvalidate(int remoteKey) {
        begin(RequestKind.SEND_WITH_INVALIDATE).invalidateKey = remoteKey;
        return this;
    }

    @Override
    public SendBatch rdmaWrite(long remoteAddress, int remoteKey) {
        begin(RequestKind.RDMA_WRITE, remoteAddress, remoteKey);
        return this;
    }

    @Override
    public SendBatch rdmaWriteWithImmediate(long remoteAddress, int remoteKey, int immediate) {
        begin(RequestKind.RDMA_WRITE_WITH_IMMEDIATE, remoteAddress, remoteKey).immediate = immediate;
        return this;
    }

    @Override
    public SendBatch rdmaRead(long remoteAddress, int remoteKey) {
        begin(RequestKind.RDMA_READ, remoteAddress, remoteKey);
        return this;
    }

    @Override
    public SendBatch compareAndSwap(long remoteAddress, int remoteKey, long compare, long swap) {
        SendWorkEntry entry = begin(RequestKind.COMPARE_SWAP, remoteAddress, remoteKey);
        entry.compare = compare;
        entry.swapOrAdd = swap;
        return this;
    }

    @Override
    public SendBatch fetchAndAdd(long remoteAddress, int remoteKey, long add) {
        begin(RequestKind.FETCH_ADD, remoteAddress, remoteKey).swapOrAdd = add;
        return this;
    }

    @Override
    public SendBatch bindMemoryWindow(MemoryWindow window, MemoryWindowBinding binding, int remoteKey) {
        requireMine();
        if (window == null || binding == null) {
            refuse(ErrorCode.EINVAL, (window == null ? "window" : "binding") + " is null", null);
            return this;
        }
        BindMemoryWindow request = BindMemoryWindow.of(nextId, window, binding, remoteKey);
        request = nextSignaled ? request.signaled() : request;
        add(nextFenced ? request.fenced() : request);
        forgetFlags();
        return this;
    }

    @Override
    public SendBatch localInvalidate(int key) {
        requireMine();
        LocalInvalidate request = LocalInvalidate.of(nextId, key);
        add(nextSignaled ? request.signaled() : request);
        forgetFlags();
        return this;
    }

    @Override
    public SendBatch add(SendRequest request) {
        stage(request);
        return this;
    }

    @Override
    public SendBatch element(long address, long length, int localKey) {
        SendWorkEntry entry = begun();
        if (entry == null) {
            return this;
        }
        ScatterGatherList elements = entry.elements();
        if (entry.isInline()) {
            fail(ErrorCode.EINVAL, "it has inline data, so it has no elements");
        } else if (entry.kind.isLocal()) {
            fail(ErrorCode.EINVAL, entry.kind + " has no elements");
        } else if (elements.count() == elements.capacity()) {
            fail(ErrorCode.EINVAL, "more than " + elements.capacity() + " scatter/gather elements");
        } else if (!WorkElements.isLength(length)) {
            fail(ErrorCode.EINVAL, length + " is no 32-bit length of an element");
        } else {
            elements.add(address, length, localKey);
        }
        return this;
    }

    @Override
    public SendBatch element(MemoryRegion region, long offset, long length) {
        requireMine();
        if (region == null) {
            fail(ErrorCode.EINVAL, "region is null");
        } else if (offset < 0 || length < 0 || offset > region.length() - length) {
            fail(ErrorCode.EINVAL, length + " bytes at offset " + offset + " are not within " + region);
        } else {
            element(region.address() + offset, length, region.localKey());
        }
        return this;
    }

    @Override
    public SendBatch elements(List<ScatterGatherElement> elements) {
        requireMine();
        if (elements == null) {
            fail(ErrorCode.EINVAL, "elements is null");
            return this;
        }
        for (int i = 0;
                i < elements.size() && error() == null;
                i++) { // by index, because an iterator would be an allocation
            ScatterGatherElement element = elements.get(i);
            if (element == null) {
                fail(ErrorCode.EINVAL, "element " + i + " is null");
            } else {
                element(element.address(), element.length(), element.localKey());
            }
        }
        return this;
    }

    @Override
    public SendBatch inlineData(ByteBuffer data) {
        requireMine();
        if (data == null) {
            fail(ErrorCode.EINVAL, "data is null");
            return this;
        }
        SendWorkEntry entry = inlineFor(data.remaining());
        if (entry != null) {
            try {
                entry.addInline(data, data.position(), data.remaining());
            } catch (RuntimeException | InternalError e) {
                fail(ErrorCode.EFAULT, "the inline data cannot be read: " + e);
            }
        }
        return this;
    }

    @Override
    public SendBatch inlineData(byte[] data, int offset, int length) {
        requireMine();
        if (data == null) {
            fail(ErrorCode.EINVAL, "data is null");
        } else if (offset < 0 || length < 0 || offset > data.length - length) {
            fail(ErrorCode.EINVAL, length + " bytes at " + offset + " are not within an array of " + data.length);
        } else {
            SendWorkEntry entry = inlineFor(length);
            if (entry != null) {
                entry.addInline(data, offset, length);
            }
        }
        return this;
    }

    @Override
    public SendBatch inlineDataList(List<ByteBuffer> pieces) {
        requireMine();
        if (pieces == null) {
            fail(ErrorCode.EINVAL, "pieces is null");
            return this;
        }
        for (int i = 0; i < pieces.size() && error() == null; i++) {
            inlineData(pieces.get(i));
        }
        return this;
    }

    @Override
    public SendBatch to(AddressHandle handle, int destination, int qkey) {
        SendWorkEntry entry = begun();
        if (entry != null) {
            try {
                posting.fillDestination(entry, handle, destination, qkey);
            } catch (RdmaException e) {
                fail(e);
            }
        }
        return this;
    }

    @Override
    public int size() {
        requireMine();
        return staged();
    }

    @Override
    public void complete() {
        requireMine();
        try {
            settle();
            RdmaException error = error();
            if (error != null) {
                throw error;
            }
            home.publish(this, staged());
        } finally {
            end();
        }
    }

    @Override
    public void abort() {
        requireMine();
        end();
    }

    @Override
    public void close() {
        if (owner == Thread.currentThread()) {
            end();
        }
    }

    private void end() {
        clear();
        owner = null;
        home.giveBack(this);
    }
}
