package io.rdma4j.testkit.fabric;

import java.util.PriorityQueue;

/** What is still to happen, by time and, at one instant, in the order it was asked for: that order makes runs repeatable. */
final class EventQueue {
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long sequence;

    void schedule(long timeNs, Runnable action) {
        events.add(new Event(timeNs, sequence++, action));
    }

    boolean isEmpty() {
        return events.isEmpty();
    }

    /** When the next event is due; the queue must not be empty. */
    long nextTimeNs() {
        return events.element().timeNs();
    }

    /** Takes the next event out; the queue must not be empty. */
    Runnable take() {
        return events.remove().action();
    }

    private record Event(long timeNs, long sequence, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(timeNs, other.timeNs);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }
    }
}
