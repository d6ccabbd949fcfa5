package io.rdma4j.verbs;

/**
 * Something that happened apart from any work request ({@code ibv_async_event}). It is acknowledged by taking it.
 *
 * @param type what happened
 * @param elementNumber where: the number of what {@link AsyncEventType#element()} says, such as {@link QueuePair#number()}
 */
public record AsyncEvent(AsyncEventType type, int elementNumber) {}
