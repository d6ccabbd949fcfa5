/** The {@code devinfo} command, made after {@code ibv_devinfo}. */
@NullMarked
package io.rdma4j.tools.devinfo;

import org.jspecify.annotations.NullMarked;
