/** The {@code pcap} command: decodes captures of RoCEv2 and checks them. */
@NullMarked
package io.rdma4j.tools.pcap;

import org.jspecify.annotations.NullMarked;
