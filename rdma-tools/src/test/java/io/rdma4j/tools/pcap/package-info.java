@NullMarked
package io.rdma4j.tools.pcap;

import org.jspecify.annotations.NullMarked;
