/** The {@code rc-pingpong} command, which talks to {@code ibv_rc_pingpong}. */
@NullMarked
package io.rdma4j.tools.pingpong;

import org.jspecify.annotations.NullMarked;
