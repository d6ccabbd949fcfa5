@NullMarked
package io.rdma4j.tools.sweep;

import org.jspecify.annotations.NullMarked;
