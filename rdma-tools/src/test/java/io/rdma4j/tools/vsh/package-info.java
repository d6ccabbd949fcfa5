@NullMarked
package io.rdma4j.tools.vsh;

import org.jspecify.annotations.NullMarked;
