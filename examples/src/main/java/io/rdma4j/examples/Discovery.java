package io.rdma4j.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rdma4j.verbs.AccessFlag;
import io.rdma4j.verbs.AddressHandle;
import io.rdma4j.verbs.AddressVector;
import io.rdma4j.verbs.CompletionQueue;
import io.rdma4j.verbs.DatagramDestination;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.MemoryRegion;
import io.rdma4j.verbs.ProtectionDomain;
import io.rdma4j.verbs.QueuePair;
import io.rdma4j.verbs.QueuePairConfig;
import io.rdma4j.verbs.RdmaDevice;
import io.rdma4j.verbs.RdmaDevices;
import io.rdma4j.verbs.ReceiveRequest;
import io.rdma4j.verbs.Send;
import io.rdma4j.verbs.WorkCompletion;
import java.nio.ByteBuffer;

/** One datagram to a multicast group asks who is there; each member answers the one who asked, whom it had never heard of. */
public final class Discovery {
    private static final Gid GROUP = Gid.parse("239.255.47.91");
    private static final int QKEY = 0x2A;
    private static final int ROUTE_BYTES = 40; // stands before every datagram, and tells where it came from
    private static final int RECEIVE_BYTES = ROUTE_BYTES + 100;

    private Discovery() {}

    /** Runs the example; takes no arguments. */
    public static void main(String[] args) {
        try (Station asker = new Station("asker");
                Station blue = new Station("blue");
                Station green = new Station("green");
                AddressHandle everybody = asker.domain.createAddressHandle(AddressVector.of(GROUP))) {
            blue.pair.attachMulticast(GROUP);
            green.pair.attachMulticast(GROUP);

            asker.send("who is there?", everybody, DatagramDestination.MULTICAST_QUEUE_PAIR);
            blue.answer();
            green.answer();
            System.out.println(asker.receive());
            System.out.println(asker.receive());
        }
    }

    private static final class Station implements AutoCloseable {
        private final String name;
        private final RdmaDevice device = RdmaDevices.open("udp://127.0.0.1?port=0");
        private final ProtectionDomain domain = device.allocateProtectionDomain();
        private final CompletionQueue completions = device.createCompletionQueue(16);
        private final ByteBuffer memory = ByteBuffer.allocateDirect(2 * RECEIVE_BYTES);
        private final MemoryRegion region = domain.registerMemory(memory, AccessFlag.LOCAL_WRITE);
        private final QueuePair pair = domain.createQueuePair(QueuePairConfig.datagram(completions));
        private final WorkCompletion[] done = WorkCompletion.array(1);
        private ByteBuffer received = memory;

        Station(String name) {
            this.name = name;
            pair.activate(QKEY);
            for (int i = 0; i < 2; i++) { // each has its own part: the second may come before the first is read
                pair.postReceive(ReceiveRequest.of(i, region.slice((long) i * RECEIVE_BYTES, RECEIVE_BYTES)));
            }
        }

        void send(String text, AddressHandle way, int queuePair) {
            pair.postSend(Send.inline(0, text.getBytes(UTF_8)).to(way, queuePair, QKEY));
        }

        String receive() {
            for (long start = System.nanoTime(); completions.poll(done) == 0; Thread.onSpinWait()) {
                if (System.nanoTime() - start > 5_000_000_000L) {
                    throw new IllegalStateException("nothing came: a datagram may be lost");
                }
            }
            byte[] text = new byte[(int) done[0].byteLength() - ROUTE_BYTES];
            received = memory.slice((int) done[0].workRequestId() * RECEIVE_BYTES, RECEIVE_BYTES);
            received.get(ROUTE_BYTES, text);
            return name + " hears from queue pair " + done[0].sourceQueuePair() + ": " + new String(text, UTF_8);
        }

        void answer() {
            System.out.println(receive());
            try (AddressHandle back = domain.createAddressHandle(done[0], received)) {
                send("it is " + name, back, done[0].sourceQueuePair());
            }
        }

        @Override
        public void close() {
            pair.close(); // from the youngest to the oldest; leaves its groups
            region.close();
            completions.close();
            domain.close();
            device.close();
        }
    }
}
