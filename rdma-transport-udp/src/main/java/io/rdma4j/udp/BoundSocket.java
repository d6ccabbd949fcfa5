package io.rdma4j.udp;

import io.netty.channel.Channel;
import java.net.InetSocketAddress;

/**
 * A socket that is bound and does not read yet.
 *
 * @param channel unconnected, always: a connected socket counts identifications from a random start
 * @param local the address and the port it got
 * @param features what it can do
 */
record BoundSocket(Channel channel, InetSocketAddress local, SocketFeatures features) {}
