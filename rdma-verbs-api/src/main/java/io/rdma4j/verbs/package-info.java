/** What a program that uses RDMA sees: devices, memory, queues, work requests and completions. */
@NullMarked
package io.rdma4j.verbs;

import org.jspecify.annotations.NullMarked;
