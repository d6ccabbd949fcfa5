package io.rdma4j.testkit.check;

import io.rdma4j.testkit.fabric.FrameView;
import io.rdma4j.testkit.fabric.TraceEntry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the frames of a run in the order they were sent, and refuses the first that breaks a rule of PSN order (§5, §6.3,
 * §7.3, §7.5). It is told of connections; frames of others are passed over.
 */
public final class WireChecker {
    private final Map<Target, Flow> requests = new HashMap<>();
    private final Map<Target, Flow> responses = new HashMap<>();

    /** A checker that knows no connection. */
    public WireChecker() {}

    /** Tells of a connection, from here on; one that an end had before is over. */
    public void connected(WireEnd a, WireEnd b, int mtu) {
        direction(a, b, mtu);
        direction(b, a, mtu);
    }

    private void direction(WireEnd requester, WireEnd responder, int mtu) {
        Flow flow = new Flow(requester.startPsn(), mtu);
        requests.put(new Target(responder.device(), responder.queuePair()), flow);
        responses.put(new Target(requester.device(), requester.queuePair()), flow);
    }

    /** Checks frames, oldest first. */
    public void check(List<TraceEntry> entries) {
        entries.forEach(this::accept);
    }

    /**
     * Checks the next frame.
     *
     * @throws WireFailure when a rule is broken
     */
    public void accept(TraceEntry entry) {
        FrameView frame = entry.frame();
        Target target = new Target(frame.to(), frame.queuePair());
        Flow flow = (frame.opcode().isRequest() ? requests : responses).get(target);
        if (flow != null) {
            if (frame.opcode().isRequest()) {
                flow.requester.accept(entry);
            } else {
                flow.responder.accept(entry);
            }
        }
    }

    /** A destination, as a frame names it. */
    private record Target(String device, int queuePair) {}

    /** One direction of a connection: requests there, responses back. */
    private static final class Flow {
        private final RequestRules requester;
        private final ResponseRules responder;

        private Flow(int startPsn, int mtu) {
            requester = new RequestRules(startPsn, mtu);
            responder = new ResponseRules(requester, mtu);
        }
    }
}
