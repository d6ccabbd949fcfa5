package io.rdma4j.testkit.sweep;

/** The two nodes of a sweep. */
enum Side {
    A,
    B;

    Side other() {
        return this == A ? B : A;
    }
}
