package io.rdma4j.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.epoll.Epoll;
import io.rdma4j.core.link.Arrival;
import io.rdma4j.core.link.Path;
import io.rdma4j.core.wire.Icrc;
import io.rdma4j.verbs.Gid;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two sockets, one sending through a link and one receiving as a device does, in every mode and every mix of modes. */
@Timeout(30)
class DatagramReceiverTest {
    private record Seen(int length, int number, int last, int hint, long senderHigh, long senderLow, int senderPort) {}

    @ParameterizedTest(name = "{0} gso={1} -> {2} gro={3} over {4}")
    @CsvSource({
        "EPOLL, true, EPOLL, true, 127.9.3.1",
        "EPOLL, true, EPOLL, false, 127.9.3.1",
        "EPOLL, false, EPOLL, true, 127.9.3.1",
        "EPOLL, false, EPOLL, false, 127.9.3.1",
        "EPOLL, true, NIO, false, 127.9.3.1",
        "NIO, false, EPOLL, true, 127.9.3.1",
        "NIO, false, NIO, false, 127.9.3.1",
        "EPOLL, true, EPOLL, true, ::1",
        "EPOLL, true, EPOLL, false, ::1",
        "NIO, false, NIO, false, ::1",
    })
    void everyModeDelivers(NativeTransport sending, boolean gso, NativeTransport receiving, boolean gro, String host)
            throws Exception {
        Assumptions.assumeTrue(Epoll.isAvailable());
        List<Integer> lengths = new ArrayList<>(Collections.nCopies(70, 1040));
        lengths.addAll(List.of(20, 4108, 4124, 12));
        List<Seen> seen = new ArrayList<>();
        CountDownLatch all = new CountDownLatch(lengths.size());
        try (Loops in = new Loops(receiving);
                Loops out = new Loops(sending)) {
            BoundSocket to = in.bind(host, new SocketOptions(0, receiving, true, gro, 2 << 20, 1 << 20));
            BoundSocket from = out.bind(host, new SocketOptions(0, sending, gso, true, 1 << 20, 1 << 20));
            assertThat(to.features().gro()).isEqualTo(gro);
            assertThat(from.features().gso()).isEqualTo(gso);
            receive(in, to, (buffer, offset, length, arrival, nowNs) -> {
                seen.add(look(buffer, offset, length, arrival));
                all.countDown();
            });
            send(out, from, to, lengths);

            assertThat(all.await(10, TimeUnit.SECONDS)).as("all arrived").isTrue();
            Gid sender = Gid.of(InetAddress.getByName(host));
            for (int i = 0; i < lengths.size(); i++) {
                Seen one = seen.get(i);
                assertThat(one.length).isEqualTo(lengths.get(i) + 4);
                assertThat(one.number).isEqualTo(i);
                assertThat(one.last).as("last word").isEqualTo(lengths.get(i) == 12 ? i : ~i);
                assertThat(one.senderHigh).isEqualTo(sender.high());
                assertThat(one.senderLow).isEqualTo(sender.low());
                assertThat(one.senderPort).isEqualTo(from.local().getPort());
            }
            if (gso && gro) {
                assertThat(seen.get(1).hint)
                        .as("place in a batch that came whole")
                        .isEqualTo(1);
            }
        }
    }

    @Test
    void socketClosedUnderItsDeviceIsTold() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        try (Loops loops = new Loops(NativeTransport.AUTO)) {
            BoundSocket socket =
                    loops.bind("127.9.3.1", new SocketOptions(0, NativeTransport.AUTO, true, true, 1 << 20, 1 << 20));
            UdpDriver driver = new UdpDriver(loops.loop);
            socket.channel()
                    .pipeline()
                    .addLast(new DatagramReceiver(
                            driver, (buffer, offset, length, arrival, now) -> {}, socket.local(), told::countDown));

            socket.channel().close().sync();

            assertThat(told.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static void receive(Loops loops, BoundSocket socket, io.rdma4j.core.link.DatagramHandler handler)
            throws Exception {
        UdpDriver driver = new UdpDriver(loops.loop);
        loops.run(() -> {
            socket.channel().pipeline().addLast(new DatagramReceiver(driver, handler, socket.local(), () -> {}));
            socket.channel().config().setAutoRead(true);
            return true;
        });
    }

    private static void send(Loops loops, BoundSocket from, BoundSocket to, List<Integer> lengths) throws Exception {
        UdpLink link = new UdpLink(from.channel(), from.features().gso(), new Icrc(), () -> {});
        Path path = Path.between(
                Gid.of(from.local().getAddress(), from.local().getPort()),
                Gid.of(to.local().getAddress(), to.local().getPort()));
        loops.run(() -> {
            for (int i = 0; i < lengths.size(); i++) {
                int length = lengths.get(i);
                assertThat(link.claim(path, length)).isTrue();
                link.buffer().putInt(link.offset() + length - 4, ~i);
                link.buffer().putInt(link.offset() + 8, i);
                link.commit();
            }
            link.flush();
            return true;
        });
    }

    private static Seen look(ByteBuffer buffer, int offset, int length, Arrival arrival) {
        return new Seen(
                length,
                buffer.getInt(offset + 8),
                buffer.getInt(offset + length - 8),
                arrival.identificationHint,
                arrival.senderHigh,
                arrival.senderLow,
                arrival.senderPort);
    }
}
