package io.leasehold.redis.client;

import java.time.Duration;

/** The number of replicas that must confirm a lease, and the maximum time to wait for them. */
public record RequiredReplicas(int least, Duration timeout) {

    public RequiredReplicas withLeast(int other) {
        return new RequiredReplicas(other, timeout);
    }
}
