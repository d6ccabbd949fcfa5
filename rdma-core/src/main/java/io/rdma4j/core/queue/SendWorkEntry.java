package io.rdma4j.core.queue;

import io.rdma4j.core.wire.Psn;

/** One slot of a send queue: the request as posted, and what the requester gave it when it was first transmitted. */
public final class SendWorkEntry {
    private final ScatterGatherList elements;

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

    /** Packet sequence numbers this request uses, 0 until it is first transmitted. Owner thread. */
    public int packets;

    /** Its first packet sequence number. Owner thread; valid when {@link #packets} is not 0. */
    public int firstPsn;

    SendWorkEntry(int maxElements) {
        elements = new ScatterGatherList(maxElements);
    }

    public ScatterGatherList elements() {
        return elements;
    }

    /** Bytes of the message; for an atomic, of its result. */
    public long length() {
        return elements.totalLength();
    }

    public int lastPsn() {
        return Psn.add(firstPsn, packets - 1);
    }
}
