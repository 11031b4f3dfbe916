package io.leasehold.redis.client;

import java.time.Duration;

/** How many replicas have to confirm a lease, and how long they are waited for. */
public record RequiredReplicas(int least, Duration timeout) {

    public RequiredReplicas withLeast(int other) {
        return new RequiredReplicas(other, timeout);
    }
}
