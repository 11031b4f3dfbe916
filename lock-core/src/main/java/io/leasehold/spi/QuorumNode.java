package io.leasehold.spi;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A store that can be one of several independent ones, of which a quorum keeps a lock together. Beyond what every store
 * does it says whether its vote can be trusted, and lets the fencing tokens of a lease be agreed on with the others.
 */
public interface QuorumNode extends LockBackend {

    /**
     * Asks for a lease as {@link #acquire} does, without a place in line.
     *
     * @param command what to lock, for how long, under which token
     * @param leastFence a new lease's first fencing token is at least this; does not change a lease that is there
     * @return the answer, and what it is worth
     */
    CompletionStage<Vote> vote(AcquireCommand command, long leastFence);

    /**
     * Sets the fencing tokens of a lease to those that a quorum agreed on; later leases get greater ones. They may be
     * less than what this node had minted for the lease. Only the lease with the same token is touched.
     *
     * @param command the command that was granted
     * @param firstFence the first of its fencing tokens
     * @return whether the lease was there
     */
    CompletionStage<Boolean> recordFencingToken(AcquireCommand command, long firstFence);

    /**
     * Asks which server this is, and since when it has remembered its leases.
     *
     * @return the identity; fails as every operation does
     */
    CompletionStage<ServerIdentity> serverIdentity();

    /**
     * A node's answer to a vote.
     *
     * @param answer granted or busy
     * @param wasThere whether the lease had been granted before, under the same token
     * @param clockMicros the node's time of day, in microseconds since 1970
     * @param identity which server voted
     */
    record Vote(AcquireAnswer answer, boolean wasThere, long clockMicros, ServerIdentity identity) {}

    /**
     * One run of one server.
     *
     * @param runId differs for each run of each server; two nodes with the same one are one server
     * @param uptime for how long the node has surely remembered every lease that it granted; {@code null} if it forgets
     *     none when it restarts
     */
    record ServerIdentity(String runId, @Nullable Duration uptime) {}
}
