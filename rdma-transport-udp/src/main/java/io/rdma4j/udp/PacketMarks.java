package io.rdma4j.udp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.rdma4j.verbs.AddressVector;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Traffic class and hop limit of what a socket sends. They are options of the socket, so they hold for every datagram until
 * they are set anew: whoever sets them must first have the socket rid of what was written before. None of them is covered
 * by the ICRC (§1.1). Owner thread only.
 */
final class PacketMarks {
    private static final Logger LOG = LoggerFactory.getLogger(PacketMarks.class);
    private static final int UNSET = -1;

    private final Channel channel;
    private final Options options;
    private final Set<String> refused = new HashSet<>();
    private int trafficClass = UNSET;
    private int hopLimit = UNSET;
    private int groupHopLimit = UNSET;
    private boolean groupsHaveInterface;

    PacketMarks(Channel channel) {
        this.channel = channel;
        this.options = Options.of(channel);
    }

    /** Whether datagrams written now say what those to this destination are to say. */
    boolean match(Destination destination) {
        return destination.trafficClass == trafficClass
                && destination.hopLimit == (destination.isGroup ? groupHopLimit : hopLimit);
    }

    /** Makes datagrams from now on say it; what the system refuses stays as it is, which is told once. */
    void set(Destination destination) {
        if (destination.trafficClass != trafficClass) {
            trafficClass = destination.trafficClass;
            set("traffic class", options.trafficClass, trafficClass);
        }
        if (destination.isGroup) {
            setForGroups(destination.hopLimit);
        } else if (destination.hopLimit != hopLimit) {
            hopLimit = destination.hopLimit;
            if (options.hopLimit != null || hopLimit != AddressVector.DEFAULT_HOP_LIMIT) {
                set("hop limit", options.hopLimit, hopLimit);
            }
        }
    }

    private void setForGroups(int limit) {
        if (!groupsHaveInterface) {
            groupsHaveInterface = true;
            set("interface for multicast groups", options.groupInterface, ownInterface());
        }
        if (limit != groupHopLimit) {
            groupHopLimit = limit;
            set("hop limit of multicast groups", options.groupHopLimit, limit);
        }
    }

    private <T> void set(String what, @Nullable ChannelOption<T> option, @Nullable T value) {
        String why = "this socket has no such option";
        try {
            if (option != null && value != null && channel.config().setOption(option, value)) {
                return;
            }
        } catch (ChannelException e) {
            why = String.valueOf(e.getCause() == null ? e : e.getCause());
        }
        if (refused.add(what)) {
            LOG.warn("{}: {} {} stays out of its frames: {} (told once)", channel.localAddress(), what, value, why);
        }
    }

    private @Nullable NetworkInterface ownInterface() {
        try {
            return InterfaceMtu.interfaceOf(((InetSocketAddress) channel.localAddress()).getAddress());
        } catch (SocketException e) {
            return null;
        }
    }

    /** The options by which the kinds of sockets are told; null where one has none. */
    private record Options(
            ChannelOption<Integer> trafficClass,
            @Nullable ChannelOption<Integer> hopLimit,
            ChannelOption<Integer> groupHopLimit,
            ChannelOption<NetworkInterface> groupInterface) {
        private static final int IP = 0;
        private static final int IPV6 = 41;

        static Options of(Channel channel) {
            if (!(channel instanceof EpollDatagramChannel)) {
                // The JDK has no option for the hop limit of unicast datagrams; the system's own is 64, too.
                return new Options(
                        NioChannelOption.of(StandardSocketOptions.IP_TOS),
                        null,
                        NioChannelOption.of(StandardSocketOptions.IP_MULTICAST_TTL),
                        NioChannelOption.of(StandardSocketOptions.IP_MULTICAST_IF));
            }
            boolean ipv4 = ((InetSocketAddress) channel.localAddress()).getAddress() instanceof Inet4Address;
            return ipv4
                    ? new Options(
                            new IntegerUnixChannelOption("IP_TOS", IP, 1),
                            new IntegerUnixChannelOption("IP_TTL", IP, 2),
                            new IntegerUnixChannelOption("IP_MULTICAST_TTL", IP, 33),
                            ChannelOption.IP_MULTICAST_IF)
                    : new Options(
                            new IntegerUnixChannelOption("IPV6_TCLASS", IPV6, 67),
                            new IntegerUnixChannelOption("IPV6_UNICAST_HOPS", IPV6, 16),
                            new IntegerUnixChannelOption("IPV6_MULTICAST_HOPS", IPV6, 18),
                            ChannelOption.IP_MULTICAST_IF);
        }
    }
}
