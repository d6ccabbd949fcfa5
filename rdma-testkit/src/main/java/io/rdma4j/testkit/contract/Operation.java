package io.rdma4j.testkit.contract;

import io.rdma4j.verbs.CompareAndSwap;
import io.rdma4j.verbs.FetchAndAdd;
import io.rdma4j.verbs.RdmaRead;
import io.rdma4j.verbs.RdmaWrite;
import io.rdma4j.verbs.RdmaWriteWithImmediate;
import io.rdma4j.verbs.ScatterGatherElement;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.SendRequest;
import io.rdma4j.verbs.SendWithImmediate;
import java.util.List;

/** The operations of a connection, for cases that hold for all or many of them. All are signaled. */
enum Operation {
    SEND,
    SEND_IMMEDIATE,
    WRITE,
    WRITE_IMMEDIATE,
    READ,
    FETCH_ADD,
    COMPARE_SWAP;

    /** What a SEND or WRITE with immediate carries. */
    static final int IMMEDIATE = 0xCAFE_BABE;

    /** READ and WRITE. */
    static final List<Operation> READ_WRITE = List.of(READ, WRITE);

    /** FETCH_ADD and COMPARE_SWAP. */
    static final List<Operation> ATOMICS = List.of(FETCH_ADD, COMPARE_SWAP);

    /** Of the first eight bytes at both ends. */
    SendRequest between(long id, End local, End remote) {
        return request(id, local.slice(0, Long.BYTES), remote.address(0), remote.key());
    }

    /** An atomic adds 1, or replaces 0 by 1. */
    SendRequest request(long id, ScatterGatherElement local, long address, int key) {
        return switch (this) {
            case SEND -> Send.of(id, local).signaled();
            case SEND_IMMEDIATE -> SendWithImmediate.of(id, IMMEDIATE, local).signaled();
            case WRITE -> RdmaWrite.of(id, local).to(address, key).signaled();
            case WRITE_IMMEDIATE ->
                RdmaWriteWithImmediate.of(id, IMMEDIATE, local).to(address, key).signaled();
            case READ -> RdmaRead.of(id, local).from(address, key).signaled();
            case FETCH_ADD -> FetchAndAdd.of(id, local, 1).at(address, key).signaled();
            case COMPARE_SWAP ->
                CompareAndSwap.of(id, local, 0, 1).at(address, key).signaled();
        };
    }

    /** Whether it uses a receive of the peer. */
    boolean needsReceive() {
        return this == SEND || this == SEND_IMMEDIATE || this == WRITE_IMMEDIATE;
    }
}
