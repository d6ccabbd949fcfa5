package io.rdma4j.testkit.check;

/**
 * One end of a connection, as frames name it.
 *
 * @param device name of its device
 * @param queuePair its QP number
 * @param startPsn PSN of its first request
 */
public record WireEnd(String device, int queuePair, int startPsn) {}
