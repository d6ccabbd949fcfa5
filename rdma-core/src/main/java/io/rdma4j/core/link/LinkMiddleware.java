package io.rdma4j.core.link;

import java.nio.ByteBuffer;

/**
 * A link on another link, and the handler in front of another handler: what stands between the bottom link and the engine
 * to record or disturb traffic. Passes everything on; what it does besides is in its subclasses. Several may be stacked,
 * each the link of the next above and the handler of the next below. Owner thread only.
 */
public abstract class LinkMiddleware implements Link, DatagramHandler {
    private final Link link;
    private DatagramHandler handler;

    /**
     * Stands between the two.
     *
     * @param link where sent frames go on to, downwards
     * @param handler where received frames go on to, upwards
     */
    protected LinkMiddleware(Link link, DatagramHandler handler) {
        this.link = link;
        this.handler = handler;
    }

    /** Puts another handler in place of the one above: how a middleware that is made later gets in between. */
    public final void deliverTo(DatagramHandler next) {
        handler = next;
    }

    /** Hands a received frame on. */
    protected final void pass(ByteBuffer buffer, int offset, int length, Arrival arrival, long nowNs) {
        handler.onDatagram(buffer, offset, length, arrival, nowNs);
    }

    @Override
    public boolean claim(Path path, int length) {
        return link.claim(path, length);
    }

    @Override
    public ByteBuffer buffer() {
        return link.buffer();
    }

    @Override
    public int offset() {
        return link.offset();
    }

    @Override
    public void commit() {
        link.commit();
    }

    @Override
    public void cancel() {
        link.cancel();
    }

    @Override
    public void flush() {
        link.flush();
    }

    @Override
    public int lastIdentification() {
        return link.lastIdentification();
    }

    @Override
    public void onDatagram(ByteBuffer buffer, int offset, int length, Arrival arrival, long nowNs) {
        pass(buffer, offset, length, arrival, nowNs);
    }
}
