/** The verbs shell itself: commands in, answers out, with neither terminal nor clock. */
@NullMarked
package io.rdma4j.tools.vsh.shell;

import org.jspecify.annotations.NullMarked;
