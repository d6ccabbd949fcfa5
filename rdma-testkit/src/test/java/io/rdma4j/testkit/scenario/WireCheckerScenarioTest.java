package io.rdma4j.testkit.scenario;

import static io.rdma4j.testkit.scenario.TwoNodes.MILLISECOND;
import static io.rdma4j.testkit.scenario.TwoNodes.PSN_A;
import static io.rdma4j.testkit.scenario.TwoNodes.PSN_B;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.Syndrome;
import io.rdma4j.testkit.check.WireChecker;
import io.rdma4j.testkit.check.WireEnd;
import io.rdma4j.testkit.check.WireFailure;
import io.rdma4j.testkit.fabric.FrameRule;
import io.rdma4j.testkit.fabric.FrameView;
import io.rdma4j.testkit.fabric.TraceEntry;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.Send;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** That the checker of PSN order notices: real traces pass, and what no device may send is made of them by hand. */
class WireCheckerScenarioTest {
    private static final int TARGET = 32 << 10;
    private static final int MTU = 1024;

    private final WireChecker checker = new WireChecker();

    @Test
    @DisplayName("§5, §6.3: traces with losses and retries pass")
    void rightTracesPass() {
        for (Consumer<TwoNodes> program : List.<Consumer<TwoNodes>>of(
                WireCheckerScenarioTest::send,
                WireCheckerScenarioTest::read,
                WireCheckerScenarioTest::lossy,
                WireCheckerScenarioTest::refused)) {
            List<TraceEntry> trace = trace(program);
            assertThat(trace).hasSizeGreaterThan(2);
            assertThatCode(() -> checker.check(trace)).doesNotThrowAnyException();
        }
    }

    @Test
    @DisplayName("§5: a PSN that is left out is noticed")
    void gap() {
        List<TraceEntry> trace = trace(WireCheckerScenarioTest::send);
        trace.remove(first(trace, frame -> frame.psn() == PSN_A + 1));

        assertRefused(trace, "§5: a gap of 1 PSNs");
    }

    @Test
    @DisplayName("§5: an acknowledgement of what was not sent is noticed")
    void acknowledgementTooEarly() {
        List<TraceEntry> trace = trace(WireCheckerScenarioTest::send);
        trace.add(1, trace.remove(first(trace, frame -> frame.opcode() == Opcode.RC_ACKNOWLEDGE)));

        assertRefused(trace, "§5: no request with this PSN was sent");
    }

    @Test
    @DisplayName("§5: a second NAK for one gap is noticed")
    void secondNak() {
        List<TraceEntry> trace = trace(WireCheckerScenarioTest::lossy);
        int nak = first(trace, frame -> frame.syndrome() == Syndrome.NAK_SEQUENCE_ERROR);
        trace.add(nak + 1, trace.get(nak));

        assertRefused(trace, "§5: a second NAK for one gap");
    }

    @Test
    @DisplayName("§7.5: an RNR NAK for a packet that was not tried again is noticed")
    void secondRnrNak() {
        List<TraceEntry> trace = trace(WireCheckerScenarioTest::late);
        int nak = first(trace, frame -> Syndrome.isRnrNak(frame.syndrome()));
        trace.add(nak + 1, trace.get(nak));

        assertRefused(trace, "§7.5: an RNR NAK without a try");
    }

    @Test
    @DisplayName("§6.3: a packet that is sent again as something else is noticed")
    void anotherPacketWithTheSamePsn() {
        List<TraceEntry> trace = trace(WireCheckerScenarioTest::send);
        List<TraceEntry> other = trace(WireCheckerScenarioTest::read);
        trace.add(other.get(first(other, frame -> frame.psn() == PSN_A)));

        assertRefused(trace, "§6.3: it was first sent as");
    }

    @Test
    @DisplayName("§7.2(1): a message that is not finished before the next is noticed")
    void unfinishedMessage() {
        List<TraceEntry> trace = trace(WireCheckerScenarioTest::send);
        List<TraceEntry> two = trace(WireCheckerScenarioTest::twoSends);
        trace.set(
                first(trace, frame -> frame.psn() == PSN_A + 1),
                two.get(first(two, frame -> frame.psn() == PSN_A + 1)));

        assertRefused(trace, "§7.2(1): a message is not finished");
    }

    @Test
    @DisplayName("§5: an acknowledgement that goes back is noticed")
    void acknowledgementGoesBack() {
        List<TraceEntry> trace = trace(WireCheckerScenarioTest::twoSendsApart);
        TraceEntry old = trace.get(first(trace, frame -> frame.opcode() == Opcode.RC_ACKNOWLEDGE));
        trace.add(old);

        assertRefused(trace, "§5: an ACK goes back");
    }

    @Test
    @DisplayName("§5: an acknowledgement that passes an unanswered READ is noticed")
    void acknowledgementPassesARead() {
        List<TraceEntry> trace = trace(WireCheckerScenarioTest::readThenWrite);
        trace.removeIf(entry -> isReadResponse(entry.frame()));

        assertRefused(trace, "§5: passes the unanswered");
    }

    @Test
    @DisplayName("§5: a READ response that is left out, or comes in another place, is noticed")
    void readResponsesOutOfOrder() {
        List<TraceEntry> trace = trace(WireCheckerScenarioTest::read);
        trace.remove(first(trace, frame -> frame.opcode() == Opcode.RC_RDMA_READ_RESPONSE_MIDDLE));

        assertRefused(trace, "§5: a READ response out of order");
    }

    @Test
    @DisplayName("§5: a READ response of another length than was asked for is noticed")
    void readResponseOfAnotherLength() {
        List<TraceEntry> trace = trace(WireCheckerScenarioTest::read);
        List<TraceEntry> longer = trace(WireCheckerScenarioTest::longerRead);
        Predicate<FrameView> last = frame -> frame.opcode() == Opcode.RC_RDMA_READ_RESPONSE_LAST;
        trace.set(first(trace, last), longer.get(first(longer, last)));

        assertRefused(trace, "§5: not the ");
    }

    @Test
    @DisplayName("§8.5(1): what a responder sends after its fatal NAK is noticed")
    void answerAfterTheEnd() {
        List<TraceEntry> trace = trace(WireCheckerScenarioTest::refused);
        trace.add(trace.get(first(trace, frame -> frame.opcode() == Opcode.RC_ACKNOWLEDGE)));

        assertRefused(trace, "§8.5(1): sent after the NAK");
    }

    private void assertRefused(List<TraceEntry> trace, String rule) {
        assertThatThrownBy(() -> checker.check(trace))
                .isInstanceOf(WireFailure.class)
                .hasMessageStartingWith(rule);
    }

    private static int first(List<TraceEntry> trace, Predicate<FrameView> wanted) {
        for (int i = 0; i < trace.size(); i++) {
            if (wanted.test(trace.get(i).frame())) {
                return i;
            }
        }
        throw new AssertionError("no such frame");
    }

    private static boolean isReadResponse(FrameView frame) {
        return frame.opcode().isResponse() && frame.opcode().name().contains("READ_RESPONSE");
    }

    /** The frames of a program; the checker knows its connection. Equal fabrics give equal QP numbers and PSNs. */
    private List<TraceEntry> trace(Consumer<TwoNodes> program) {
        try (TwoNodes nodes = TwoNodes.connected()) {
            checker.connected(
                    new WireEnd(nodes.a.device.name(), nodes.a.queuePair.number(), PSN_A),
                    new WireEnd(nodes.b.device.name(), nodes.b.queuePair.number(), PSN_B),
                    MTU);
            program.accept(nodes);
            nodes.runToRest();
            return new ArrayList<>(nodes.fabric.trace().entries());
        }
    }

    private static void send(TwoNodes nodes) {
        nodes.b.postReceive(1001, TARGET, 3000);
        nodes.a.queuePair.postSend(Send.of(1, nodes.a.region.slice(0, 3000)).signaled());
    }

    private static void twoSends(TwoNodes nodes) {
        for (int i = 0; i < 2; i++) {
            nodes.b.postReceive(1001 + i, TARGET, 3000);
            nodes.a.queuePair.postSend(
                    Send.of(1 + i, nodes.a.region.slice(0, 100)).signaled());
        }
    }

    private static void twoSendsApart(TwoNodes nodes) {
        send(nodes);
        nodes.fabric.runFor(MILLISECOND);
        send(nodes);
    }

    private static void lossy(TwoNodes nodes) {
        nodes.fabric.addRule(
                FrameRule.drop().from(nodes.a.device).psn(PSN_A + 1).first(1));
        send(nodes);
    }

    /** The receive comes when the first try has met RNR. */
    private static void late(TwoNodes nodes) {
        nodes.a.queuePair.postSend(Send.of(1, nodes.a.region.slice(0, 3000)).signaled());
        nodes.fabric.after(100_000, () -> nodes.b.postReceive(1001, TARGET, 3000));
    }

    private static void read(TwoNodes nodes) {
        read(nodes, 3000);
    }

    private static void longerRead(TwoNodes nodes) {
        read(nodes, 3050);
    }

    private static void read(TwoNodes nodes, int length) {
        nodes.a.queuePair.postSend(RdmaRead.of(1, nodes.a.region.slice(TARGET, length))
                .from(nodes.b.region.address(), nodes.b.region.remoteKey())
                .signaled());
    }

    private static void readThenWrite(TwoNodes nodes) {
        read(nodes);
        nodes.a.queuePair.postSend(RdmaWrite.of(2, nodes.a.region.slice(0, 100))
                .to(nodes.b.region.address() + TARGET, nodes.b.region.remoteKey())
                .signaled());
    }

    private static void refused(TwoNodes nodes) {
        send(nodes);
        nodes.fabric.runFor(MILLISECOND);
        nodes.a.queuePair.postSend(RdmaWrite.of(2, nodes.a.region.slice(0, 100))
                .to(nodes.b.region.address(), nodes.b.region.remoteKey() + 1)
                .signaled());
    }
}
