package io.leasehold.redis.client;

import io.leasehold.spi.BackendFailure;

/** A lease that the master has, but too few replicas have confirmed: it does not count as granted or renewed. */
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
     * Redis did not say how many replicas have it.
     *
     * @param failure what it said instead
     */
    public InsufficientReplicasFailure(Throwable failure) {
        super(
                Effect.UNKNOWN,
                "the lock is on the master, and its replicas could not be asked for. "
                        + RedisErrors.of(failure).getMessage(),
                failure);
    }
}
