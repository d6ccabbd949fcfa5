package io.rdma4j.udp;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.RdmaException;

/** The socket options of the epoll transport that make frames right on the wire and fast on the way in. */
final class EpollOptions {
    /**
     * IP_MTU_DISCOVER and its IPv6 twin: don't fragment, and on IPv4 the identification of an unconnected socket is then 0.
     * PROBE rather than DO, which would obey a poisoned path MTU cache.
     */
    private static final IntegerUnixChannelOption IP_MTU_DISCOVER =
            new IntegerUnixChannelOption("IP_MTU_DISCOVER", 0, 10);

    private static final IntegerUnixChannelOption IPV6_MTU_DISCOVER =
            new IntegerUnixChannelOption("IPV6_MTU_DISCOVER", 41, 23);
    private static final int PMTUDISC_PROBE = 3;

    /** Linux rxe sends IPv6 frames with UDP checksum 0, which a socket drops unless told otherwise. */
    private static final IntegerUnixChannelOption UDP_NO_CHECK6_RX =
            new IntegerUnixChannelOption("UDP_NO_CHECK6_RX", 17, 102);

    /** Without them a socket gets what any other of this host has joined. */
    private static final IntegerUnixChannelOption IP_MULTICAST_ALL =
            new IntegerUnixChannelOption("IP_MULTICAST_ALL", 0, 49);

    private static final IntegerUnixChannelOption IPV6_MULTICAST_ALL =
            new IntegerUnixChannelOption("IPV6_MULTICAST_ALL", 41, 29);

    /** One recvmmsg takes this many datagrams where nothing is coalesced. */
    private static final int DATAGRAMS_PER_READ = 64;

    private EpollOptions() {}

    static void identification(Bootstrap bootstrap, boolean ipv4) {
        bootstrap.option(IP_MTU_DISCOVER, PMTUDISC_PROBE);
        if (!ipv4) {
            bootstrap.option(IPV6_MTU_DISCOVER, PMTUDISC_PROBE).option(UDP_NO_CHECK6_RX, 1);
        }
    }

    static void onlyJoinedGroups(Bootstrap bootstrap, boolean ipv4) {
        bootstrap.option(ipv4 ? IP_MULTICAST_ALL : IPV6_MULTICAST_ALL, 0);
    }

    /** Reads the options back: a frame with a wrong identification would be dropped in silence at the other end. */
    static void requireIdentification(Channel channel, boolean ipv4) {
        require(channel, ipv4 ? IP_MTU_DISCOVER : IPV6_MTU_DISCOVER, PMTUDISC_PROBE);
        if (!ipv4) {
            require(channel, UDP_NO_CHECK6_RX, 1);
        }
    }

    /**
     * Sets how the channel reads. With GRO the buffer must hold one datagram of any size and no second one: with room for
     * two Netty reads by recvmmsg, which loses the segment size. Without GRO many datagrams are read at once.
     */
    static void receiving(Bootstrap bootstrap, boolean gro) {
        if (gro) {
            bootstrap
                    .option(EpollChannelOption.UDP_GRO, true)
                    .option(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, GroReceiveBuffer.CAPACITY)
                    .option(
                            ChannelOption.RECVBUF_ALLOCATOR,
                            new ReusedBufferAllocator(1, GroReceiveBuffer::new, Sockets.READS_PER_TURN));
        } else {
            int read = DATAGRAMS_PER_READ * Sockets.LARGEST_FRAME;
            bootstrap
                    .option(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, Sockets.LARGEST_FRAME)
                    .option(
                            ChannelOption.RECVBUF_ALLOCATOR,
                            new ReusedBufferAllocator(1, () -> new ReusedBuffer(read), Sockets.READS_PER_TURN));
        }
    }

    private static void require(Channel channel, ChannelOption<Integer> option, int expected) {
        Integer actual = channel.config().getOption(option);
        if (actual == null || actual != expected) {
            throw new RdmaException(
                    ErrorCode.EOPNOTSUPP,
                    "the socket option " + option.name() + "=" + expected + " did not take (it reads " + actual
                            + "); native=nio avoids it, but then only devices of rdma4j understand each other");
        }
    }
}
