/** Unreliable datagrams (UD): one packet a message, to whoever its address handle names, and nothing comes back (§14). */
@NullMarked
package io.rdma4j.core.ud;

import org.jspecify.annotations.NullMarked;
