package io.rdma4j.tools.pingpong;

import io.rdma4j.verbs.PathMtu;
import org.jspecify.annotations.Nullable;

/**
 * What a run does.
 *
 * @param host the server, or null to be the server
 * @param tcpPort port of the exchange of addresses
 * @param size bytes of a message
 * @param mtu path MTU
 * @param receiveDepth receives posted at a time
 * @param iterations exchanges
 * @param events whether to sleep on completion events
 * @param validate whether to check the received buffer at the end
 */
record PingpongPlan(
        @Nullable String host,
        int tcpPort,
        int size,
        PathMtu mtu,
        int receiveDepth,
        int iterations,
        boolean events,
        boolean validate) {}
