/** Captures: classic pcap files in and out, and the RoCEv2 frames in them as fields that can be read and encoded again. */
@NullMarked
package io.rdma4j.core.pcap;

import org.jspecify.annotations.NullMarked;
