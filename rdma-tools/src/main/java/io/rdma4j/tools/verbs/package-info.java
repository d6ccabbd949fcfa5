/** What the commands that open devices share. */
@NullMarked
package io.rdma4j.tools.verbs;

import org.jspecify.annotations.NullMarked;
