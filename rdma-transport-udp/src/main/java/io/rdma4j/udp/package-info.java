/**
 * RoCEv2 over UDP with Netty: the provider of {@code udp://} devices. A device is one socket, one event loop, which is
 * the engine's owner thread, and the engine; nothing here is API.
 */
@NullMarked
package io.rdma4j.udp;

import org.jspecify.annotations.NullMarked;
