@NullMarked
package io.rdma4j.tools.vsh.replay;

import org.jspecify.annotations.NullMarked;
