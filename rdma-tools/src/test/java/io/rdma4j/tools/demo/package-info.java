@NullMarked
package io.rdma4j.tools.demo;

import org.jspecify.annotations.NullMarked;
