package io.rdma4j.udp;

import io.rdma4j.core.engine.DeviceEngine;
import io.rdma4j.core.link.Link;

/** One engine and the link it sends through. */
final class EngineDuty implements Duty {
    private final DeviceEngine engine;
    private final Link link;

    EngineDuty(DeviceEngine engine, Link link) {
        this.engine = engine;
        this.link = link;
    }

    @Override
    public void advance(long nowNs) {
        engine.advance(nowNs, link);
        link.flush();
    }

    @Override
    public long nextDeadlineNs() {
        return engine.nextDeadlineNs();
    }
}
