/** Small programs that use nothing but the verbs API. */
@NullMarked
package io.rdma4j.examples;

import org.jspecify.annotations.NullMarked;
