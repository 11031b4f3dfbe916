/**
 * Locks that a quorum of independent stores keeps together, so that no one of them is a single point of failure: the
 * Redlock algorithm, with what it left open. It knows nothing of the stores but {@link io.leasehold.spi.QuorumNode}.
 *
 * <p>What can break it: a majority of the nodes that forget leases within the longest ttl without having been restarted
 * (someone empties them, a snapshot is restored), and nodes whose clocks run at speeds that differ by more than one per
 * cent. Fencing tokens rise whichever minority of nodes is down, as long as nodes keep their counters; a node that lost
 * them starts again from its clock.
 */
@NullMarked
package io.leasehold.redlock;

import org.jspecify.annotations.NullMarked;
