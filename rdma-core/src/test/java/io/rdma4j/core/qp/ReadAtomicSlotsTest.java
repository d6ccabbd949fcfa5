package io.rdma4j.core.qp;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdma4j.core.qp.ReadAtomicSlots.Slot;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** §7.2(3) and §7.4: the responder's ring of READs and atomics. */
class ReadAtomicSlotsTest {
    private final ReadAtomicSlots slots = new ReadAtomicSlots(2);

    private Slot request(int first, int last) {
        Slot slot = Objects.requireNonNull(slots.allocate());
        slot.valid = true;
        slot.firstPsn = first;
        slot.lastPsn = last;
        slots.schedule(slot, first, last);
        return slot;
    }

    @Test
    void withoutCapacityThereIsNoRoom() {
        ReadAtomicSlots none = new ReadAtomicSlots(0);
        assertThat(none.hasRoom()).isFalse();
        assertThat(none.allocate()).isNull();
        assertThat(none.find(0)).isNull();
        assertThat(none.nextDue()).isNull();
    }

    @Test
    void anUnansweredSlotIsNotOverwrittenAnAnsweredOneIs() {
        request(10, 12);
        request(13, 13);
        assertThat(slots.hasRoom()).isFalse();
        assertThat(slots.allocate()).isNull();
        slots.answered();
        request(14, 14);
        assertThat(slots.find(11)).isNull();
        assertThat(slots.hasRoom()).isFalse();
    }

    @Test
    void findsByAnyPsnOfTheRequestAcrossTheWrap() {
        Slot read = request(0xFFFFFE, 1);
        assertThat(slots.find(0xFFFFFD)).isNull();
        assertThat(slots.find(0xFFFFFE)).isSameAs(read);
        assertThat(slots.find(0)).isSameAs(read);
        assertThat(slots.find(1)).isSameAs(read);
        assertThat(slots.find(2)).isNull();
    }

    @Test
    void answersAreDueInOrderOfRequestsAndRepetitionsInTheirPlace() {
        Slot first = request(10, 12);
        Slot second = request(13, 14);
        assertThat(slots.nextDue()).isSameAs(first);
        slots.answered();
        assertThat(slots.nextDue()).isSameAs(second);
        slots.repeat(first, 11, 12, 0);
        assertThat(slots.nextDue()).isSameAs(first);
        assertThat(first.cursor).isEqualTo(11);
        slots.cancelAll();
        assertThat(slots.nextDue()).isNull();
    }

    @Test
    void aRepetitionGivesWayToANewRequest() {
        Slot first = request(10, 10);
        Slot second = request(11, 11);
        slots.answered();
        slots.answered();
        slots.repeat(first, 10, 10, 0);
        slots.repeat(second, 11, 11, 0);
        Slot third = request(12, 12);
        assertThat(third).isSameAs(first);
        assertThat(slots.nextDue()).isSameAs(second);
        slots.answered();
        assertThat(slots.nextDue()).isSameAs(third);
    }

    @Test
    void aRepetitionOfWhatIsUnderWayGoesBackAndNeverForward() {
        Slot read = request(10, 20);
        read.cursor = 15;
        slots.repeat(read, 17, 20, 0);
        assertThat(read.cursor).isEqualTo(15);
        slots.repeat(read, 12, 14, 0);
        assertThat(read.cursor).isEqualTo(12);
        assertThat(read.answerFirst).isEqualTo(12);
        assertThat(read.answerLast).isEqualTo(20);
        slots.answered();
        assertThat(slots.nextDue()).isNull();
    }
}
