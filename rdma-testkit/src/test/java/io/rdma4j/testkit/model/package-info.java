@NullMarked
package io.rdma4j.testkit.model;

import org.jspecify.annotations.NullMarked;
