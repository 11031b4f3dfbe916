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
    CompletionStage<Ballot> vote(AcquireCommand command, long leastFence);

    /**
     * Sets the fencing tokens of a lease to those that a quorum agreed on; later leases get greater ones. They may be
     * less than what this node had minted for the lease. Only the lease with the same token is touched.
     *
     * @param command the command that was granted
     * @param firstFence the first of its fencing tokens
     * @return whether the lease was there
     */
    CompletionStage<Boolean> settle(AcquireCommand command, long firstFence);

    /**
     * Tells which server this is and how far back it remembers.
     *
     * @return what is known of the server
     */
    CompletionStage<Standing> standing();

    /**
     * A node's answer to a vote.
     *
     * @param answer granted or busy
     * @param wasThere whether the lease had been granted before, under the same token
     * @param clockMicros the node's time of day, in microseconds since 1970
     * @param standing what the answer is worth
     */
    record Ballot(AcquireAnswer answer, boolean wasThere, long clockMicros, Standing standing) {}

    /**
     * What a node's word is worth.
     *
     * @param instance another one for each run of each server; two nodes with the same one are one server
     * @param memory how far back the node surely remembers every lease that it granted; {@code null} if it forgets none
     */
    record Standing(String instance, @Nullable Duration memory) {}
}
