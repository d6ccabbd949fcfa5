@NullMarked
package io.rdma4j.tools;

import org.jspecify.annotations.NullMarked;
