@NullMarked
package io.rdma4j.testkit.check;

import org.jspecify.annotations.NullMarked;
