/** What the commands print with: JSON, tables, progress, units. */
@NullMarked
package io.rdma4j.tools.text;

import org.jspecify.annotations.NullMarked;
