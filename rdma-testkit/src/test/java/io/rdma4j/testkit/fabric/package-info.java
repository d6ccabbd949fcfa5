@NullMarked
package io.rdma4j.testkit.fabric;

import org.jspecify.annotations.NullMarked;
