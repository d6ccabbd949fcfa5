/** Small helpers over the verbs API that scenarios, sweeps and suites share; they work with any provider. */
@NullMarked
package io.rdma4j.testkit.verbs;

import org.jspecify.annotations.NullMarked;
