package io.rdma4j.core.wire;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class PsnTest {
    @Test
    void wrapsAtTwentyFourBits() {
        assertThat(Psn.next(0xFFFFFF)).isZero();
        assertThat(Psn.previous(0)).isEqualTo(0xFFFFFF);
        assertThat(Psn.add(0xFFFFF0, 0x20)).isEqualTo(0x10);
        assertThat(Psn.add(0x10, -0x20)).isEqualTo(0xFFFFF0);
    }

    @Test
    void isOrderedAcrossTheWrap() {
        assertThat(Psn.diff(0, 0xFFFFFF)).isEqualTo(1);
        assertThat(Psn.diff(0xFFFFFF, 0)).isEqualTo(-1);
        assertThat(Psn.isNewer(3, 0xFFFFF0)).isTrue();
        assertThat(Psn.isNewer(0xFFFFF0, 3)).isFalse();
        assertThat(Psn.isNewer(7, 7)).isFalse();
    }

    @Test
    void halfTheSpaceAwayIsOlder() {
        assertThat(Psn.diff(Psn.HALF_SPACE - 1, 0)).isEqualTo(Psn.HALF_SPACE - 1);
        assertThat(Psn.diff(Psn.HALF_SPACE, 0)).isEqualTo(-Psn.HALF_SPACE);
    }

    @Property
    void distanceUndoesAddition(
            @ForAll @IntRange(max = Psn.MASK) int psn,
            @ForAll @IntRange(min = -Psn.HALF_SPACE, max = Psn.HALF_SPACE - 1) int count) {
        int moved = Psn.add(psn, count);

        assertThat(moved).isBetween(0, Psn.MASK);
        assertThat(Psn.diff(moved, psn)).isEqualTo(count);
        assertThat(Psn.add(moved, -count)).isEqualTo(psn);
    }

    @Property
    void exactlyOneOfTwoIsNewerUnlessTheyAreOpposite(
            @ForAll @IntRange(max = Psn.MASK) int a, @ForAll @IntRange(max = Psn.MASK) int b) {
        boolean opposite = Psn.diff(a, b) == -Psn.HALF_SPACE;

        assertThat(Psn.isNewer(a, b) != Psn.isNewer(b, a)).isEqualTo(a != b && !opposite);
    }

    @Property
    void orderWithinAWindowIsThatOfTheIntegers(
            @ForAll @IntRange(max = Psn.MASK) int start,
            @ForAll @IntRange(max = Psn.HALF_SPACE - 1) int i,
            @ForAll @IntRange(max = Psn.HALF_SPACE - 1) int j) {
        assertThat(Psn.isNewer(Psn.add(start, i), Psn.add(start, j))).isEqualTo(i > j);
        assertThat(Psn.next(Psn.add(start, i))).isEqualTo(Psn.add(start, i + 1));
        assertThat(Psn.previous(Psn.add(start, i))).isEqualTo(Psn.add(start, i - 1));
    }
}
