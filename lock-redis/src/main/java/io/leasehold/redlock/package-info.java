/**
 * Locks on a quorum of independent stores, so that no store is a single point of failure. The package implements the
 * Redlock algorithm, including the parts that the algorithm leaves open. It depends on the stores only through
 * {@link io.leasehold.spi.QuorumNode}. It may use the API, {@code spi} and {@code support}, and no client of Redis.
 * {@code autoconfigure.redis} uses it, and {@code io.leasehold.redis} does not.
 *
 * <p>Mutual exclusion fails if a majority of the nodes forgets leases within the longest ttl without a restart, for
 * example because the nodes are emptied or a snapshot is restored. It also fails if the clock of a node jumps, in
 * particular after a restart, or if the clocks of nodes run at speeds that differ by more than one per cent. Fencing
 * tokens increase regardless of which minority of nodes is down, as long as nodes keep their counters. A node that lost
 * its counters starts again from its clock.
 */
@NullMarked
package io.leasehold.redlock;

import org.jspecify.annotations.NullMarked;
