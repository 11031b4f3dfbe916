package io.leasehold.redis.client;

import io.leasehold.spi.BackendFailure;

/** Too few replicas confirmed a lease that the master has stored. The lease does not count as granted or renewed. */
public final class InsufficientReplicasFailure extends BackendFailure {

    private static final long serialVersionUID = 1L;

    public InsufficientReplicasFailure(long confirmed, RequiredReplicas required) {
        super(
                Effect.UNKNOWN,
                "Redis: " + confirmed + " of " + required.least() + " replicas confirmed the lock within "
                        + required.timeout().toMillis()
                        + " ms (see whether the replicas are connected to the master, or"
                        + " lower 'lock.redis.min-replicas')",
                null);
    }

    /**
     * Creates a failure for an unknown number of confirmations.
     *
     * @param failure the failure of {@code WAIT}
     */
    public InsufficientReplicasFailure(Throwable failure) {
        super(
                Effect.UNKNOWN,
                "the lock is on the master, and its replicas could not be asked for. "
                        + RedisErrors.of(failure).getMessage(),
                failure);
    }
}
