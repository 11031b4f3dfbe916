package io.leasehold.redis.client;

import io.leasehold.spi.BackendFailure;

/**
 * Too few replicas confirmed a change of a lease, or that the server which denied a lease is their master. The answer
 * of the server does not count.
 */
public final class InsufficientReplicasFailure extends BackendFailure {

    private static final long serialVersionUID = 1L;

    public InsufficientReplicasFailure(long confirmed, RequiredReplicas required) {
        super(
                Effect.UNKNOWN,
                "Redis: " + confirmed + " of " + required.least()
                        + " replicas confirmed the answer of the master within "
                        + required.timeout().toMillis()
                        + " ms (see whether the replicas are connected to the master, or"
                        + " lower 'lock.redis.min-replicas')",
                null);
    }

    /** Creates a failure of {@code WAIT}, after which the number of confirmations is unknown. */
    public InsufficientReplicasFailure(Throwable failure) {
        super(
                Effect.UNKNOWN,
                "the master has answered, and its replicas could not be asked to confirm it. "
                        + RedisErrors.of(failure).getMessage(),
                failure);
    }
}
