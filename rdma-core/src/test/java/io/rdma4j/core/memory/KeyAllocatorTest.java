package io.rdma4j.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** §11.1: 24 bits of index, 8 of variant, and no key twice for long. */
class KeyAllocatorTest {
    @Test
    void endsAtItsLimitAndGivesFreedIndicesInOrderWithAnotherVariant() {
        KeyAllocator keys = new KeyAllocator(3, new Random(1));
        int[] first = {keys.allocate(), keys.allocate(), keys.allocate()};
        assertThat(keys.allocate()).isZero();
        keys.release(first[2]);
        keys.release(first[0]);
        int again = keys.allocate();
        assertThat(KeyAllocator.indexOf(again)).isEqualTo(KeyAllocator.indexOf(first[2]));
        assertThat(again).isNotEqualTo(first[2]);
        assertThat(KeyAllocator.indexOf(keys.allocate())).isEqualTo(KeyAllocator.indexOf(first[0]));
        assertThat(keys.allocate()).isZero();
    }

    @Test
    void aKeyRestsFor256RoundsOfItsIndex() {
        KeyAllocator keys = new KeyAllocator(1, new Random(2));
        int first = keys.allocate();
        ArrayDeque<Integer> seen = new ArrayDeque<>();
        int key = first;
        for (int i = 0; i < 255; i++) {
            keys.release(key);
            key = keys.allocate();
            seen.add(key);
        }
        assertThat(seen).doesNotContain(first).doesNotHaveDuplicates();
    }
}
