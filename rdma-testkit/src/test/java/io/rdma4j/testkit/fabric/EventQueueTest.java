package io.rdma4j.testkit.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventQueueTest {
    @Test
    void eventsComeByTimeAndThenInTheOrderTheyWereAskedFor() {
        EventQueue queue = new EventQueue();
        List<String> ran = new ArrayList<>();
        queue.schedule(20, () -> ran.add("late"));
        queue.schedule(10, () -> ran.add("first"));
        queue.schedule(10, () -> ran.add("second"));
        queue.schedule(10, () -> ran.add("third"));

        assertThat(queue.nextTimeNs()).isEqualTo(10);
        while (!queue.isEmpty()) {
            queue.take().run();
        }

        assertThat(ran).containsExactly("first", "second", "third", "late");
    }
}
