package io.leasehold.redlock;

import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.QuorumNode.Vote;
import org.jspecify.annotations.Nullable;

/** What a node has of an acquisition. */
enum NodeState {

    /** It has not answered. */
    PENDING,

    /** It has the token. */
    GRANTED,

    /** It surely has nothing: somebody else has the lock there, or nothing was done. */
    NOTHING,

    /** Nobody knows what it has, or will have. */
    DOUBTFUL;

    static NodeState of(@Nullable Vote vote, @Nullable Throwable failure) {
        if (vote != null) {
            return vote.answer() instanceof Granted ? GRANTED : NOTHING;
        }
        return failure == null || Ensemble.effectOf(failure) == Effect.UNKNOWN ? DOUBTFUL : NOTHING;
    }
}
