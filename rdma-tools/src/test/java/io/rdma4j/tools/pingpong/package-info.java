@NullMarked
package io.rdma4j.tools.pingpong;

import org.jspecify.annotations.NullMarked;
