package io.rdma4j.udp;

import io.rdma4j.core.link.FaultyLink;

/** A duty below which a faulty link keeps frames for later: what is due there comes first. */
final class FaultyDuty implements Duty {
    private final Duty above;
    private final FaultyLink faulty;

    FaultyDuty(Duty above, FaultyLink faulty) {
        this.above = above;
        this.faulty = faulty;
    }

    @Override
    public void advance(long nowNs) {
        faulty.deliverDue(nowNs);
        above.advance(nowNs);
    }

    @Override
    public long nextDeadlineNs() {
        return Math.min(above.nextDeadlineNs(), faulty.nextDeadlineNs());
    }
}
