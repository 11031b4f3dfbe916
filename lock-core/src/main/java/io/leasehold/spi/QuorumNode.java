package io.leasehold.spi;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A store that can be one of several independent nodes, of which a quorum grants a lock. In addition to the operations
 * of every store, a node reports whether its vote can be trusted, and records the fencing tokens on which the nodes
 * agreed.
 */
public interface QuorumNode extends LockBackend {

    /**
     * Requests a lease as {@link #acquire} does, without queueing the caller.
     *
     * @param command the lock, the ttl and the token
     * @param leastFence the lower bound of a new lease's first fencing token; has no effect on an existing lease
     * @return the answer, with the information to judge it
     */
    CompletionStage<Vote> vote(AcquireCommand command, long leastFence);

    /**
     * Sets the fencing tokens of a lease to those on which a quorum agreed. Later leases get greater tokens. The agreed
     * tokens may be less than those that this node had assigned to the lease. Only the lease with the same token is
     * changed.
     *
     * @param command the command that was granted
     * @param firstFence the first of its fencing tokens
     * @return whether the lease existed
     */
    CompletionStage<Boolean> recordFencingToken(AcquireCommand command, long firstFence);

    /**
     * Returns the identity of the server, and how long it has remembered its leases.
     *
     * @return the identity; fails like every operation
     */
    CompletionStage<ServerIdentity> serverIdentity();

    /**
     * A node's answer to a vote.
     *
     * @param answer granted or busy
     * @param wasThere whether the lease had been granted before under the same token
     * @param clockMicros the node's wall clock, in microseconds since 1970
     * @param identity the server that voted
     */
    record Vote(AcquireAnswer answer, boolean wasThere, long clockMicros, ServerIdentity identity) {}

    /**
     * One run of one server.
     *
     * @param runId differs for each run of each server; two nodes with the same value are the same server
     * @param uptime how long the node has certainly remembered every lease that it granted; {@code null} if it keeps
     *     all leases across restarts
     */
    record ServerIdentity(String runId, @Nullable Duration uptime) {}
}
