@NullMarked
package io.rdma4j.tools.devinfo;

import org.jspecify.annotations.NullMarked;
