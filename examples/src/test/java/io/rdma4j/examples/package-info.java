@NullMarked
package io.rdma4j.examples;

import org.jspecify.annotations.NullMarked;
