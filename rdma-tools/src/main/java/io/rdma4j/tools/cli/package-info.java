/** What all commands share: options, how failures are reported, the version. */
@NullMarked
package io.rdma4j.tools.cli;

import org.jspecify.annotations.NullMarked;
