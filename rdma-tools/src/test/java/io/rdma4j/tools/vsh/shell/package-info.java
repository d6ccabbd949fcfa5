@NullMarked
package io.rdma4j.tools.vsh.shell;

import org.jspecify.annotations.NullMarked;
