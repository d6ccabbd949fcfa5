@NullMarked
package io.rdma4j.testkit.sweep;

import org.jspecify.annotations.NullMarked;
