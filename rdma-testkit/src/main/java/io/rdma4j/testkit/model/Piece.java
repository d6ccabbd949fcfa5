package io.rdma4j.testkit.model;

/**
 * A scatter/gather element as it is posted.
 *
 * @param key the local key
 * @param address where it begins
 * @param length bytes
 */
record Piece(int key, long address, int length) {}
