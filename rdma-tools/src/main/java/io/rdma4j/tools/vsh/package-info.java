/** The {@code vsh} command: a verbs shell on a terminal, a pipe, a script or TCP. */
@NullMarked
package io.rdma4j.tools.vsh;

import org.jspecify.annotations.NullMarked;
