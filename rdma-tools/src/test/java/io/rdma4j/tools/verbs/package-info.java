@NullMarked
package io.rdma4j.tools.verbs;

import org.jspecify.annotations.NullMarked;
