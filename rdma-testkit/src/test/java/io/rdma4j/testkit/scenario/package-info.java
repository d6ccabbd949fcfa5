@NullMarked
package io.rdma4j.testkit.scenario;

import org.jspecify.annotations.NullMarked;
