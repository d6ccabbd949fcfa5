package io.rdma4j.udp;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.socket.DatagramChannel;
import io.rdma4j.verbs.ErrorCode;
import io.rdma4j.verbs.Gid;
import io.rdma4j.verbs.RdmaException;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The multicast groups of a device, each a socket of its own: the device's socket, bound to its address, gets nothing that
 * is sent to a group, and one bound to the group gets nothing else (§14). Other devices of this host may be in the same
 * group, so these sockets, and only these, share their port, which is 4791 whatever the devices' own. Owner thread only.
 */
final class GroupSockets {
    /** Each group takes a file descriptor, of which many systems give a program 1,024. */
    static final int MAX_GROUPS = 256;

    private final Bootstrap bootstrap;
    private final InetAddress device;
    private final Function<InetSocketAddress, ChannelHandler> receivers;
    private final Map<Gid, Channel> joined = new HashMap<>();

    /**
     * Makes an empty set.
     *
     * @param bootstrap makes sockets on the device's loop
     * @param device the device's address
     * @param receivers makes what takes the datagrams of a group, given its address
     */
    GroupSockets(Bootstrap bootstrap, InetAddress device, Function<InetSocketAddress, ChannelHandler> receivers) {
        this.bootstrap = bootstrap;
        this.device = device;
        this.receivers = receivers;
    }

    /** Has datagrams to a group received from now on; nothing is left open when that fails. */
    void join(Gid group) {
        if (joined.containsKey(group)) {
            return;
        }
        check(group);
        NetworkInterface where = ownInterface(group);
        InetSocketAddress local = new InetSocketAddress(scoped(group, where), Gid.ROCE_PORT);
        Channel channel = opened(local, where);
        channel.pipeline().addLast(receivers.apply(local));
        channel.config().setAutoRead(true);
        joined.put(group, channel);
    }

    /** Undoes a join; a group that was not joined is none. */
    void leave(Gid group) {
        Channel channel = joined.remove(group);
        if (channel != null) {
            channel.pipeline().removeLast(); // the receiver would take the end for a failure
            close(channel);
        }
    }

    /** Leaves all groups. */
    void close() {
        List.copyOf(joined.keySet()).forEach(this::leave);
    }

    private void check(Gid group) {
        if (!group.isMulticast()) {
            throw new RdmaException(ErrorCode.EINVAL, group + " is no multicast group");
        }
        if (group.isIpv4() == device instanceof Inet6Address) {
            throw new RdmaException(
                    ErrorCode.EINVAL,
                    "group " + name(group) + " and the device at " + device.getHostAddress()
                            + " are of different versions of IP");
        }
        if (joined.size() == MAX_GROUPS) {
            throw new RdmaException(
                    ErrorCode.ENOMEM, "a device is in " + MAX_GROUPS + " multicast groups at most, each is a socket");
        }
    }

    private NetworkInterface ownInterface(Gid group) {
        try {
            NetworkInterface found = InterfaceMtu.interfaceOf(device);
            if (found != null) {
                return found;
            }
        } catch (SocketException e) {
            throw refused(group, null, e);
        }
        throw refused(group, null, new SocketException("no interface has " + device.getHostAddress()));
    }

    /** IPv6 groups of a small scope are a different group on each interface. */
    private static InetAddress scoped(Gid group, NetworkInterface where) {
        InetAddress address = group.address();
        if (!(address instanceof Inet6Address)) {
            return address;
        }
        try {
            return Inet6Address.getByAddress(null, address.getAddress(), where.getIndex());
        } catch (UnknownHostException e) {
            throw new AssertionError("sixteen bytes are always an address", e);
        }
    }

    /** A socket that is bound to the group and joined. On its own loop each step is done when the call returns. */
    private Channel opened(InetSocketAddress local, NetworkInterface where) {
        Gid group = Gid.of(local.getAddress());
        ChannelFuture registered = bootstrap.register();
        require(registered, group, where);
        DatagramChannel channel = (DatagramChannel) registered.channel();
        try {
            require(channel.bind(local), group, where);
            require(channel.joinGroup(local.getAddress(), where, null), group, where);
        } catch (RuntimeException e) {
            close(channel);
            throw e instanceof RdmaException ? e : refused(group, where, e);
        }
        return channel;
    }

    private static void require(ChannelFuture step, Gid group, NetworkInterface where) {
        if (!step.isSuccess()) {
            Throwable cause = step.cause();
            throw refused(group, where, cause == null ? new IllegalStateException("not done in time") : cause);
        }
    }

    private static RdmaException refused(Gid group, @Nullable NetworkInterface where, Throwable cause) {
        String place = where == null ? "" : " on " + where.getName();
        if (SendErrors.errno(cause) == ErrorCode.EADDRINUSE.code() || cause instanceof BindException) {
            return new RdmaException(
                    ErrorCode.EADDRINUSE,
                    "cannot join group " + name(group) + place + ": its UDP port " + Gid.ROCE_PORT
                            + " is held by another process that does not share it, or the rdma_rxe module: "
                            + cause.getMessage(),
                    cause);
        }
        return new RdmaException(
                ErrorCode.EADDRNOTAVAIL, "cannot join group " + name(group) + place + ": " + cause, cause);
    }

    private static String name(Gid group) {
        return group.address().getHostAddress();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // on its own loop it is closed when the call returns
    private static void close(Channel channel) {
        channel.close();
    }
}
