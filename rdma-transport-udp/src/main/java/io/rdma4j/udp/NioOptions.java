package io.rdma4j.udp;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.nio.NioChannelOption;
import java.net.SocketOption;
import org.jspecify.annotations.Nullable;

/**
 * What little a NIO socket can be told about the identification of its IPv4 frames: IP_DONTFRAGMENT, from JDK 19 on, which
 * on Linux also makes it 0. Without it foreign peers drop this device's frames.
 */
final class NioOptions {
    private static final @Nullable ChannelOption<Boolean> DONT_FRAGMENT = find();

    private NioOptions() {}

    static void dontFragment(Bootstrap bootstrap) {
        if (DONT_FRAGMENT != null) {
            bootstrap.option(DONT_FRAGMENT, true);
        }
    }

    /** Reads the option back: one that a channel does not know is otherwise only mentioned in a log. */
    static boolean isDontFragment(Channel channel) {
        return DONT_FRAGMENT != null && Boolean.TRUE.equals(channel.config().getOption(DONT_FRAGMENT));
    }

    @SuppressWarnings("unchecked") // the JDK documents the type of the option's value
    private static @Nullable ChannelOption<Boolean> find() {
        try {
            Object option = Class.forName("jdk.net.ExtendedSocketOptions")
                    .getField("IP_DONTFRAGMENT")
                    .get(null);
            return NioChannelOption.of((SocketOption<Boolean>) option);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }
}
