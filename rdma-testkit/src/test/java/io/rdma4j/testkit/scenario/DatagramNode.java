package io.rdma4j.testkit.scenario;

import io.rdma4j.verbs.AddressHandle;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;

/** A queue pair for datagrams on a node, which keeps its completions. */
final class DatagramNode implements AutoCloseable {
    static final int QKEY = 0x11111111;

    /** Bytes of route before each payload. */
    static final int ROUTE = 40;

    final Node node;
    final QueuePair queuePair;

    DatagramNode(Node node) {
        this.node = node;
        queuePair = node.domain.createQueuePair(QueuePairConfig.datagram(node.completionQueue));
        queuePair.activate(QKEY);
    }

    Gid gid() {
        return node.device.gid();
    }

    AddressHandle wayTo(Gid gid) {
        return node.domain.createAddressHandle(AddressVector.of(gid));
    }

    void receive(long id, int offset, int length) {
        queuePair.postReceive(ReceiveRequest.of(id, node.region.slice(offset, length)));
    }

    /** Sends the first bytes of the memory. */
    void send(long id, int length, AddressHandle way, int queuePairNumber) {
        queuePair.postSend(Send.of(id, node.region.slice(0, length))
                .to(way, queuePairNumber, QKEY)
                .signaled());
    }

    @Override
    public void close() {
        queuePair.close();
    }
}
