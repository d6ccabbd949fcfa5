package io.rdma4j.udp;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.rdma4j.core.engine.DeviceEngine;
import io.rdma4j.core.engine.EngineConfig;
import io.rdma4j.core.qp.DeviceLimit;
import io.rdma4j.core.qp.DeviceLimits;
import io.rdma4j.core.qp.DeviceProfile;
import io.rdma4j.core.wire.Icrc;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;

/** An open device: one socket, one loop and one engine, shared by all contexts that were opened on it. */
final class OpenDevice {
    private static final long DRAIN_LOOK_MS = 5;

    /** A closing device waits 100 ms at most for its socket to take what was sent. */
    private static final int DRAIN_LOOKS = 20;

    private final EventLoopGroup group;
    private final EventLoop loop;
    private final BoundSocket socket;
    private final UdpDriver driver;
    private final DeviceEngine engine;
    private final UdpLink udpLink;
    private final LinkStack links;
    private final DeviceDescription description;
    private final GroupSockets groups;
    private final LinkWatch linkWatch;
    private int drainLooks;

    private OpenDevice(EventLoopGroup group, BoundSocket socket, UdpOptions options) {
        this.group = group;
        this.loop = group.next();
        this.socket = socket;
        this.description = DeviceDescription.of(options, socket);
        this.driver = new UdpDriver(loop);
        this.engine = new DeviceEngine(
                new EngineConfig(
                        description.gid(),
                        socket.local().getPort(),
                        description.mtu(),
                        socket.features().receiveBuffer(),
                        new SecureRandom(),
                        options.icrc(),
                        limits(options.profile())),
                driver::wake);
        this.udpLink = new UdpLink(socket.channel(), socket.features().gso(), new Icrc(), driver::turnSoon);
        this.links = LinkStack.of(description, udpLink, engine);
        this.groups = new GroupSockets(
                Sockets.forGroups(group, socket, options.socket()),
                socket.local().getAddress(),
                local -> new DatagramReceiver(driver, links.handler(), local, () -> {}));
        this.linkWatch = new LinkWatch(
                loop,
                description.name() + ": the link of " + description.interfaceName(),
                LinkWatch.of(DeviceDescription.interfaceOf(options.address())),
                engine::linkState);
        this.udpLink.errors().listener(engine::sendRefused);
    }

    /** Those of a profile, but for the sockets of multicast groups, of which there are few. */
    private static DeviceLimits limits(DeviceProfile profile) {
        DeviceLimits limits = DeviceLimits.of(profile);
        int groups = Math.min(limits.max(DeviceLimit.MAX_MCAST_GRP), GroupSockets.MAX_GROUPS);
        return limits.with(DeviceLimit.MAX_MCAST_GRP, groups);
    }

    /** Binds the socket and starts the loop. */
    static OpenDevice open(UdpOptions options) {
        boolean epoll = Sockets.useEpoll(options.socket().transport());
        EventLoopGroup group = Sockets.newLoop(epoll);
        try {
            return start(group, Sockets.bind(group, epoll, options.address(), options.socket()), options);
        } catch (RuntimeException e) {
            Sockets.end(group);
            throw e;
        }
    }

    private static OpenDevice start(EventLoopGroup group, BoundSocket socket, UdpOptions options) {
        try {
            OpenDevice device = new OpenDevice(group, socket, options);
            device.driver.call(device::begin);
            device.description.log();
            return device;
        } catch (RuntimeException e) {
            Sockets.close(socket.channel());
            throw e;
        }
    }

    UdpDriver driver() {
        return driver;
    }

    DeviceEngine engine() {
        return engine;
    }

    DeviceDescription description() {
        return description;
    }

    /** Where it is bound. */
    InetSocketAddress local() {
        return socket.local();
    }

    /** The multicast groups it is in; for the owner thread. */
    GroupSockets groups() {
        return groups;
    }

    /** Waits until the socket is closed and the loop has ended. */
    void awaitClosed() {
        group.terminationFuture().awaitUninterruptibly();
    }

    /** Runs on the loop, which owns the engine from here on. */
    private boolean begin() {
        Thread.currentThread().setName("rdma4j-" + description.hostAndPort());
        Channel channel = socket.channel();
        channel.pipeline().addLast(new DatagramReceiver(driver, links.handler(), socket.local(), engine::linkLost));
        channel.config().setAutoRead(true);
        driver.start(links.duty(), this::drain);
        linkWatch.start(LinkWatch.LOOK_MS);
        return true;
    }

    /** The engine's turns have ended; what it sent is still on its way. */
    @SuppressWarnings("FutureReturnValueIgnored") // it calls itself again until it is done
    private void drain() {
        linkWatch.stop();
        groups.close();
        udpLink.flush();
        if (udpLink.isDrained() || drainLooks++ == DRAIN_LOOKS) {
            socket.channel().close().addListener(closed -> release());
        } else {
            loop.schedule(this::drain, DRAIN_LOOK_MS, TimeUnit.MILLISECONDS);
        }
    }

    private void release() {
        links.close();
        Sockets.end(group);
    }
}
