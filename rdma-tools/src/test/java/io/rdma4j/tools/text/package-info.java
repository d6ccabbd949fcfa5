@NullMarked
package io.rdma4j.tools.text;

import org.jspecify.annotations.NullMarked;
