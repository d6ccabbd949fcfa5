/** How fast data move in virtual time through networks that lose, delay and queue: a table that people review. */
@NullMarked
package io.rdma4j.testkit.goodput;

import org.jspecify.annotations.NullMarked;
