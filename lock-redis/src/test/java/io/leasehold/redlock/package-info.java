/** Tests of the quorum backend, on nodes in memory with virtual time and on real servers. */
@NullMarked
package io.leasehold.redlock;

import org.jspecify.annotations.NullMarked;
