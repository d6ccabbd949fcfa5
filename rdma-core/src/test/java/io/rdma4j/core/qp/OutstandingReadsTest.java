package io.rdma4j.core.qp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** §6.1(4): the requester's list of READs and atomics on their way. */
class OutstandingReadsTest {
    private final OutstandingReads reads = new OutstandingReads(3);

    @Test
    void isAQueue() {
        for (int round = 0; round < 5; round++) {
            reads.push(10 * round, 10 * round + 9);
            reads.push(100 + round, 100 + round);
            assertThat(reads.size()).isEqualTo(2);
            assertThat(reads.oldestFirstPsn()).isEqualTo(10 * round);
            assertThat(reads.oldestLastPsn()).isEqualTo(10 * round + 9);
            reads.pop();
            assertThat(reads.oldestLastPsn()).isEqualTo(100 + round);
            reads.pop();
            assertThat(reads.size()).isZero();
        }
    }

    @Test
    void aRollbackMarksWhatIsOutAndNotWhatComesLater() {
        reads.push(1, 1);
        reads.push(2, 5);
        reads.markRepeated();
        reads.push(6, 6);
        assertThat(reads.isOldestRepeated()).isTrue();
        reads.pop();
        assertThat(reads.isOldestRepeated()).isTrue();
        reads.pop();
        assertThat(reads.isOldestRepeated()).isFalse();
    }

    @Test
    void knowsWhereTheRequestOfAPsnEnds() {
        reads.push(0xFFFFFE, 1);
        reads.push(2, 2);
        assertThat(reads.lastPsnCovering(0xFFFFFF)).isEqualTo(1);
        assertThat(reads.lastPsnCovering(1)).isEqualTo(1);
        assertThat(reads.lastPsnCovering(2)).isEqualTo(2);
        assertThatThrownBy(() -> reads.lastPsnCovering(3)).isInstanceOf(IllegalStateException.class);
        reads.clear();
        assertThat(reads.size()).isZero();
    }
}
