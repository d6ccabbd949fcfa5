package io.rdma4j.core.queue;

import io.rdma4j.core.link.Path;
import io.rdma4j.core.memory.Mapping;
import io.rdma4j.core.memory.RegisteredMemory;
import io.rdma4j.core.wire.Psn;
import io.rdma4j.verbs.SendRequest;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** One slot of a send queue: the request as posted, and what the requester gave it when it was first transmitted. */
public final class SendWorkEntry {
    private static final int NOT_INLINE = -1;

    private final ScatterGatherList elements;

    /** Where the inline data of all slots is, and where in it that of this slot begins. */
    private final ByteBuffer inlineData;

    private final int inlineStart;
    private int inlineLength = NOT_INLINE;

    public long id;
    public RequestKind kind = RequestKind.SEND;
    public boolean signaled;
    public boolean solicited;
    public boolean fenced;
    public long remoteAddress;
    public int remoteKey;
    public int immediate;
    public int invalidateKey;
    public long compare;
    public long swapOrAdd;

    /** Of a datagram (§14): the way of its address handle as it was when posted, and the handle's protection domain. */
    public @Nullable Path path;

    public int handleDomain;
    public int destinationQp;
    public int qkey;
    /** A bind: the window, and the region it is to open; a fast registration: the region. Their new key is the remote key. */
    public @Nullable RegisteredMemory window;

    public @Nullable RegisteredMemory region;

    /** A bind: bytes of the region, from the remote address on. */
    public long bindLength;

    /** A bind or fast registration: bits of {@code ibv_access_flags}. */
    public int access;

    /** A fast registration: what the region was mapped to when it was posted. */
    public Mapping mapping = Mapping.NONE;

    /** A request of a kind without packets has taken effect; its completion waits for earlier ones. Owner thread. */
    public boolean executed;

    /** Packet sequence numbers this request uses, 0 until it is first transmitted. Owner thread. */
    public int packets;

    /** Its first packet sequence number. Owner thread; valid when {@link #packets} is not 0. */
    public int firstPsn;

    SendWorkEntry(int maxElements, ByteBuffer inlineData, int inlineStart) {
        elements = new ScatterGatherList(maxElements);
        this.inlineData = inlineData;
        this.inlineStart = inlineStart;
    }

    /** A request of a kind, without elements, flags or anything else. */
    public void begin(long newId, RequestKind newKind) {
        inlineLength = NOT_INLINE;
        elements.clear();
        id = newId;
        kind = newKind;
        signaled = false;
        solicited = false;
        fenced = false;
        remoteAddress = 0;
        remoteKey = 0;
        immediate = 0;
        invalidateKey = 0;
        compare = 0;
        swapOrAdd = 0;
        path = null;
        executed = false;
        packets = 0;
    }

    /** The request brings its bytes along, no more than fit: they are copied now, and the program's are free (§6.1(9)). */
    public void useInline(SendRequest request) {
        request.copyInline(inlineData, inlineStart);
        inlineLength = (int) request.inlineLength();
    }

    /** More bytes that the request brings along; they fit. */
    public void addInline(ByteBuffer data, int index, int length) {
        int used = inlineLength();
        inlineData.put(inlineStart + used, data, index, length);
        inlineLength = used + length;
    }

    /** More bytes that the request brings along; they fit. */
    public void addInline(byte[] data, int offset, int length) {
        int used = inlineLength();
        inlineData.put(inlineStart + used, data, offset, length);
        inlineLength = used + length;
    }

    /** Bytes of inline data, 0 when there is none. */
    public int inlineLength() {
        return Math.max(0, inlineLength);
    }

    public boolean isInline() {
        return inlineLength != NOT_INLINE;
    }

    /** Copies inline data from byte {@code offset} on into a packet. */
    public void copyInline(int offset, ByteBuffer target, int index, int length) {
        target.put(index, inlineData, inlineStart + offset, length);
    }

    public ScatterGatherList elements() {
        return elements;
    }

    /** Bytes of the message; for an atomic, of its result. */
    public long length() {
        return isInline() ? inlineLength : elements.totalLength();
    }

    public int lastPsn() {
        return Psn.add(firstPsn, packets - 1);
    }
}
