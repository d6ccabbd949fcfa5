/** The software HCA as one sans-I/O object: datagrams and time in, frames and completions out. */
@NullMarked
package io.rdma4j.core.engine;

import org.jspecify.annotations.NullMarked;
