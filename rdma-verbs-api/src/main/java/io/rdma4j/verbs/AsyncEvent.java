package io.rdma4j.verbs;

/**
 * Something that happened apart from any work request ({@code ibv_async_event}). It is acknowledged by taking it.
 *
 * @param type what happened
 * @param elementNumber where: {@link QueuePair#number()} or {@link CompletionQueue#number()}, the port, or 0 for the device
 */
public record AsyncEvent(AsyncEventType type, int elementNumber) {}
