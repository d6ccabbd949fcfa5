package io.rdma4j.verbs;

/** What an asynchronous event is about (the union {@code element} of {@code ibv_async_event}). */
public enum AsyncEventElement {
    /** {@link CompletionQueue#number()} ({@code element.cq}). */
    COMPLETION_QUEUE,
    /** {@link QueuePair#number()} ({@code element.qp}). */
    QUEUE_PAIR,
    /** The number of a shared receive queue ({@code element.srq}). */
    SHARED_RECEIVE_QUEUE,
    /** The number of a work queue ({@code element.wq}). */
    WORK_QUEUE,
    /** The number of a port, from 1 ({@code element.port_num}). */
    PORT,
    /** The whole device; the number is 0. */
    DEVICE
}
