/** What a provider of devices implements; programs that use RDMA do not need it. */
@NullMarked
package io.rdma4j.verbs.spi;

import org.jspecify.annotations.NullMarked;
