package io.rdma4j.core.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.wire.Bth;
import io.rdma4j.core.wire.Icrc;
import io.rdma4j.core.wire.Opcode;
import io.rdma4j.core.wire.RocePacket;
import io.rdma4j.verbs.Gid;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FaultyLinkTest {
    private static final int LENGTH = Bth.LENGTH;
    private static final Gid HERE = Gid.parse("192.0.2.1");
    private static final Gid THERE = Gid.parse("192.0.2.2");

    private final Icrc icrc = new Icrc();
    private final SealingLink bottom = new SealingLink();
    private final List<Integer> arrived = new ArrayList<>();
    private final List<Fault> told = new ArrayList<>();
    private int damaged;

    private FaultyLink link(String faults) {
        DatagramHandler engine = (buffer, offset, length, arrival, nowNs) -> {
            boolean whole = length >= RocePacket.MIN_LENGTH
                    && icrc.verify(SealingLink.addresses(THERE, HERE), 0, buffer, offset, length);
            if (whole) {
                arrived.add(new Bth().wrap(buffer, offset).psn());
                assertThat(arrival.senderLow).isEqualTo(THERE.low());
            } else {
                damaged++;
            }
        };
        FaultyLink link = new FaultyLink(bottom, engine, LinkFaults.parse(faults), new SplittableRandom(1));
        link.tellTo((fault, buffer, offset, length, arrival) -> told.add(fault));
        return link;
    }

    private void receive(FaultyLink link, int psn, long nowNs) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(64);
        new Bth().wrap(buffer, 8).init(Opcode.RC_SEND_ONLY, 5, psn);
        int value = icrc.compute(SealingLink.addresses(THERE, HERE), 0, buffer, 8, LENGTH);
        Icrc.write(buffer, 8 + LENGTH, value);
        Arrival arrival = new Arrival();
        arrival.local(HERE.high(), HERE.low(), 4791);
        arrival.sender(THERE.high(), THERE.low(), 4791);
        link.onDatagram(buffer, 8, LENGTH + RocePacket.ICRC_LENGTH, arrival, nowNs);
        arrival.sender(0, 0, 0); // borrowed for the call only
        buffer.put(8, new byte[32]);
    }

    private void receiveMany(FaultyLink link, int count) {
        for (int psn = 0; psn < count; psn++) {
            receive(link, psn, psn * 1_000L);
            link.deliverDue(psn * 1_000L);
        }
        link.deliverDue(Long.MAX_VALUE - 1);
    }

    private static List<Integer> upTo(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    @Test
    void withoutFaultsEverythingPassesAtOnce() {
        FaultyLink link = link("loss:0");

        receiveMany(link, 100);

        assertThat(arrived).isEqualTo(upTo(100));
        assertThat(told).isEmpty();
        assertThat(link.nextDeadlineNs()).isEqualTo(FaultyLink.NO_DEADLINE);
    }

    @Test
    void whatIsSentIsLeftAlone() {
        FaultyLink link = link("loss:1,corrupt:1");

        assertThat(link.claim(Path.between(HERE, THERE), LENGTH)).isTrue();
        link.commit();
        link.flush();

        assertThat(bottom.identification).isZero();
        assertThat(bottom.flushes).isEqualTo(1);
    }

    @Test
    void aTenthIsLostAndEachLossTold() {
        FaultyLink link = link("loss:0.1");

        receiveMany(link, 10_000);

        assertThat(arrived).hasSizeBetween(8_900, 9_100).isSorted();
        assertThat(told).hasSize(10_000 - arrived.size()).containsOnly(Fault.LOST);
        assertThat(link.counts()).containsEntry("fault_lost", 10_000L - arrived.size());
    }

    @Test
    void aDuplicatedFrameArrivesAtOnceAndOnceMoreLater() {
        FaultyLink link = link("duplicate:1");

        receive(link, 7, 0);

        assertThat(arrived).containsExactly(7);
        assertThat(link.nextDeadlineNs()).isBetween(1L, FaultyLink.MAX_HOLD_NS);
        assertThat(link.deliverDue(link.nextDeadlineNs() - 1)).isZero();
        assertThat(link.deliverDue(link.nextDeadlineNs())).isEqualTo(1);
        assertThat(arrived).containsExactly(7, 7);
    }

    @Test
    void aReorderedFrameIsOvertakenByAFewOrWaitsAMillisecond() {
        FaultyLink link = link("reorder:0.05");

        receiveMany(link, 1_000);

        assertThat(arrived).hasSize(1_000).isNotEqualTo(upTo(1_000));
        assertThat(new HashSet<>(arrived)).hasSize(1_000);
        for (int i = 0; i < arrived.size(); i++) {
            assertThat(Math.abs(arrived.get(i) - i)).isLessThanOrEqualTo(2 * FaultyLink.MAX_OVERTAKING);
        }

        FaultyLink lonely = link("reorder:1");
        arrived.clear();
        receive(lonely, 3, 50);
        assertThat(lonely.nextDeadlineNs()).isEqualTo(50 + FaultyLink.MAX_HOLD_NS);
        lonely.deliverDue(50 + FaultyLink.MAX_HOLD_NS);
        assertThat(arrived).containsExactly(3);
    }

    @Test
    void aCorruptedFrameArrivesDamagedAndNeverWhole() {
        receiveMany(link("corrupt:1"), 2_000);

        assertThat(arrived).isEmpty();
        assertThat(damaged).isEqualTo(2_000);
    }

    @Test
    void aDatagramTooShortForAFramePasses() {
        FaultyLink link = link("corrupt:1,duplicate:1");

        for (int length = 0; length < RocePacket.MIN_LENGTH; length++) {
            link.onDatagram(ByteBuffer.allocateDirect(64), 8, length, new Arrival(), 0);
        }

        assertThat(damaged).isEqualTo(RocePacket.MIN_LENGTH);
        assertThat(told).isEmpty();
    }

    @Test
    void aDelayKeepsTheOrder() {
        FaultyLink link = link("delay:200us");

        receive(link, 1, 0);
        receive(link, 2, 10);

        assertThat(link.nextDeadlineNs()).isEqualTo(200_000);
        assertThat(link.deliverDue(199_999)).isZero();
        link.deliverDue(200_000);
        assertThat(arrived).containsExactly(1);
        link.deliverDue(300_000);
        assertThat(arrived).containsExactly(1, 2);
    }

    @Test
    void whatIsKeptIsBoundedAndTheRestIsLostAndTold() {
        FaultyLink link = link("delay:10s");
        int tooMany = FaultyLink.MAX_HELD_FRAMES + 5;

        for (int psn = 0; psn < tooMany; psn++) {
            receive(link, psn, 0);
        }
        link.deliverDue(10_000_000_000L);

        assertThat(arrived).isEqualTo(upTo(FaultyLink.MAX_HELD_FRAMES));
        assertThat(told).hasSize(5).containsOnly(Fault.NO_ROOM);
        receive(link, 1, 0);
        assertThat(link.nextDeadlineNs()).as("there is room again").isEqualTo(10_000_000_000L);
    }

    @Test
    void equalSeedsMeanEqualFaults() {
        String faults = "loss:0.1,duplicate:0.1,reorder:0.1,corrupt:0.1,delay:5us";
        receiveMany(link(faults), 2_000);
        List<Integer> first = List.copyOf(arrived);
        arrived.clear();

        receiveMany(link(faults), 2_000);

        assertThat(arrived).isEqualTo(first);
    }
}
