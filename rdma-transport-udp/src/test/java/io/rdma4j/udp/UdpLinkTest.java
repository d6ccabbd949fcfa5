package io.rdma4j.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.Errors;
import io.netty.channel.unix.SegmentedDatagramPacket;
import io.rdma4j.core.link.Path;
import io.rdma4j.core.wire.Icrc;
import io.rdma4j.core.wire.PacketAddresses;
import io.rdma4j.verbs.Gid;
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Real frames over loopback into a plain socket, which sees what any foreign peer would see. */
class UdpLinkTest {
    private static final int TIMEOUT_MS = 5_000;
    private static final int ICRC_LENGTH = 4;
    private static final int PSN_OFFSET = 8;

    private enum Mode {
        GSO,
        SINGLE,
        NIO
    }

    private DatagramSocket peer;
    private Path path;

    @BeforeEach
    void openPeer() throws Exception {
        InetAddress address = InetAddress.getByName("127.9.2.1");
        for (int port = 21_000; peer == null; port++) {
            try {
                peer = new DatagramSocket(port, address);
            } catch (BindException e) {
                // taken: the next one
            }
        }
        peer.setReceiveBufferSize(2 << 20);
        peer.setSoTimeout(TIMEOUT_MS);
        path = Path.between(Gid.of(address), Gid.of(address, peer.getLocalPort()));
    }

    @AfterEach
    void closePeer() {
        peer.close();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void everyFrameArrivesInOrderWithTheIcrcOfItsIdentification(Mode mode) throws Exception {
        try (Loops loops = loops(mode)) {
            BoundSocket socket = socket(loops, mode);
            UdpLink link = link(socket, () -> {});
            // Equal frames, a short one that closes a batch, a long one that opens one, and more than one batch can
            // hold.
            List<Integer> lengths = new ArrayList<>(List.of(1040, 1056, 1040, 1040, 20, 1040));
            lengths.addAll(Collections.nCopies(150, 100));
            lengths.addAll(Collections.nCopies(40, 4108));

            List<Integer> identifications = loops.run(() -> send(link, path, lengths));

            for (int i = 0; i < lengths.size(); i++) {
                ByteBuffer frame = receive();
                assertThat(frame.getInt(PSN_OFFSET)).as("place on the wire").isEqualTo(i);
                requireSealed(frame, socket, lengths.get(i), identifications.get(i));
            }
            assertThat(identifications.contains(1)).as("segmented").isEqualTo(mode == Mode.GSO);
            assertThat(loops.run(link::isDrained)).isTrue();
            assertThat(link.errors().counts()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 1040, 1056, 4108, 4124})
    void batchHoldsAsMuchAsTheKernelTakes(int length) throws Exception {
        Assumptions.assumeTrue(Epoll.isAvailable());
        try (Loops loops = loops(Mode.GSO)) {
            UdpLink link = link(socket(loops, Mode.GSO), () -> {});
            int perBatch = Math.min(64, 65_507 / (length + ICRC_LENGTH));

            List<Integer> identifications =
                    loops.run(() -> send(link, path, Collections.nCopies(perBatch + 1, length)));

            for (int i = 0; i <= perBatch; i++) {
                assertThat(receive().limit()).isEqualTo(length + ICRC_LENGTH);
                assertThat(identifications.get(i)).isEqualTo(i % perBatch);
            }
            assertThat(link.errors().counts()).isEmpty();
        }
    }

    @Test
    void frameThatCannotBeSentCountsAsLostByErrno() throws Exception {
        Assumptions.assumeTrue(Epoll.isAvailable());
        try (Loops loops = loops(Mode.SINGLE)) {
            UdpLink link = link(socket(loops, Mode.SINGLE), () -> {});
            Path broadcast = Path.between(path.local(), Gid.of(InetAddress.getByName("255.255.255.255")));

            loops.run(() -> send(link, broadcast, List.of(100)));
            loops.run(() -> send(link, path, List.of(100)));

            assertThat(receive().limit()).isEqualTo(100 + ICRC_LENGTH);
            assertThat(link.errors().counts()).containsExactly(Map.entry("send_error_eacces", 1L));
            assertThat(loops.run(link::isDrained)).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void claimsFailWhenTooMuchIsUnderWayAndRoomIsTold(Mode mode) throws Exception {
        try (Loops loops = loops(mode)) {
            AtomicInteger told = new AtomicInteger();
            UdpLink link = link(socket(loops, mode), told::incrementAndGet);
            Path nobody = Path.between(path.local(), Gid.of(InetAddress.getByName("127.9.2.99"), 20_999));

            // What is written and not flushed is under way; another destination opens a new batch each time.
            int accepted = loops.run(() -> {
                int frames = 0;
                while (link.claim(frames % 2 == 0 ? path : nobody, 20)) {
                    link.commit();
                    frames++;
                }
                return frames;
            });
            assertThat(accepted).isEqualTo(UdpLink.MAX_BATCHES);
            assertThat(told).hasValue(0);

            loops.loop.submit(link::flush).sync();
            assertThat(told).hasValue(1);
            assertThat(loops.run(() -> link.claim(path, 20))).isTrue();
        }
    }

    @Test
    void anotherTrafficClassWaitsUntilTheSocketIsEmptyAndAllWaitWithIt() throws Exception {
        try (Loops loops = loops(Mode.SINGLE)) {
            BoundSocket socket = socket(loops, Mode.SINGLE);
            FullSocket full = new FullSocket();
            socket.channel().pipeline().addFirst(full);
            AtomicInteger told = new AtomicInteger();
            UdpLink link = link(socket, told::incrementAndGet);
            Path other = new Path(path.local(), path.remote(), 0x68, 64, 0);

            loops.run(() -> send(link, path, List.of(100)));
            assertThat(loops.run(() -> link.claim(other, 100)))
                    .as("the first class is still in the socket")
                    .isFalse();
            assertThat(loops.run(() -> link.claim(path, 100)))
                    .as("or it would never be empty")
                    .isFalse();

            loops.run(full::empty);
            assertThat(told).hasValue(1);
            loops.run(() -> send(link, other, List.of(104)));
            assertThat(receive().limit()).isEqualTo(100 + ICRC_LENGTH);
            assertThat(receive().limit()).isEqualTo(104 + ICRC_LENGTH);
        }
    }

    /** Keeps what is written until it is told to let it go, as a socket does whose buffer is full. */
    private static final class FullSocket extends ChannelOutboundHandlerAdapter {
        private final List<Runnable> kept = new ArrayList<>();
        private boolean open;

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            if (open) {
                context.write(message, promise);
            } else {
                kept.add(() -> context.writeAndFlush(message, promise));
            }
        }

        boolean empty() {
            open = true;
            kept.forEach(Runnable::run);
            return true;
        }
    }

    @Test
    void cancelledClaimSendsNothing() throws Exception {
        try (Loops loops = loops(Mode.GSO)) {
            UdpLink link = link(socket(loops, Mode.GSO), () -> {});

            loops.run(() -> {
                boolean claimed = link.claim(path, 500);
                link.cancel();
                return claimed && send(link, path, List.of(24)).size() == 1;
            });

            assertThat(receive().limit()).isEqualTo(24 + ICRC_LENGTH);
        }
    }

    @Test
    void refusedBatchIsSealedAgainAndGoesFrameByFrame() throws Exception {
        Assumptions.assumeTrue(Epoll.isAvailable());
        try (Loops loops = loops(Mode.GSO)) {
            BoundSocket socket = socket(loops, Mode.GSO);
            socket.channel().pipeline().addFirst(new KernelWithoutSegmentation());
            UdpLink link = link(socket, () -> {});

            List<Integer> first = loops.run(() -> send(link, path, Collections.nCopies(5, 200)));
            List<Integer> second = loops.run(() -> send(link, path, Collections.nCopies(3, 200)));

            assertThat(first).containsExactly(0, 1, 2, 3, 4);
            assertThat(second).as("not tried again").containsExactly(0, 0, 0);
            for (int i = 0; i < 8; i++) {
                ByteBuffer frame = receive();
                assertThat(frame.getInt(PSN_OFFSET)).isEqualTo(i < 5 ? i : i - 5);
                requireSealed(frame, socket, 200, 0);
            }
            assertThat(loops.run(link::isDrained)).isTrue();
        }
    }

    /** Answers segmented writes as a kernel does whose interface cannot make the checksums. */
    private static final class KernelWithoutSegmentation extends ChannelOutboundHandlerAdapter {
        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            if (message instanceof SegmentedDatagramPacket packet) {
                packet.release();
                promise.setFailure(new Errors.NativeIoException("sendmmsg", -SendErrors.EIO));
            } else {
                context.write(message, promise);
            }
        }
    }

    private static Loops loops(Mode mode) {
        return new Loops(mode == Mode.NIO ? NativeTransport.NIO : NativeTransport.AUTO);
    }

    private static BoundSocket socket(Loops loops, Mode mode) throws Exception {
        return loops.bind(
                "127.9.2.2", new SocketOptions(0, NativeTransport.AUTO, mode == Mode.GSO, true, 1 << 20, 1 << 20));
    }

    private static UdpLink link(BoundSocket socket, Runnable onRoom) {
        return new UdpLink(socket.channel(), socket.features().gso(), new Icrc(), onRoom);
    }

    /** Sends frames, each with its place in the BTH's PSN word, and returns the identifications they were sealed for. */
    private static List<Integer> send(UdpLink link, Path to, List<Integer> lengths) {
        List<Integer> identifications = new ArrayList<>();
        for (int i = 0; i < lengths.size(); i++) {
            assertThat(link.claim(to, lengths.get(i))).isTrue();
            for (int at = 0; at < lengths.get(i); at += 4) {
                link.buffer().putInt(link.offset() + at, at == PSN_OFFSET ? i : 31 * i + at);
            }
            link.commit();
            identifications.add(link.lastIdentification());
        }
        link.flush();
        return identifications;
    }

    private ByteBuffer receive() throws Exception {
        DatagramPacket packet = new DatagramPacket(new byte[8192], 8192);
        peer.receive(packet);
        return ByteBuffer.wrap(packet.getData(), 0, packet.getLength());
    }

    private void requireSealed(ByteBuffer frame, BoundSocket from, int length, int identification) {
        InetSocketAddress source = from.local();
        Gid sender = Gid.of(source.getAddress());
        PacketAddresses addresses = new PacketAddresses()
                .source(sender.high(), sender.low(), source.getPort())
                .destination(path.remote().addressHigh(), path.remote().addressLow(), peer.getLocalPort());
        assertThat(frame.limit()).isEqualTo(length + ICRC_LENGTH);
        assertThat(Icrc.read(frame, length))
                .as("ICRC for identification %d", identification)
                .isEqualTo(new Icrc().compute(addresses, identification, frame, 0, length));
    }
}
