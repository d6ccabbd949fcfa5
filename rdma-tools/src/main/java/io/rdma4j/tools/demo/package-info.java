/** The {@code demo} command: two JVMs and one device each, every step verified. */
@NullMarked
package io.rdma4j.tools.demo;

import org.jspecify.annotations.NullMarked;
