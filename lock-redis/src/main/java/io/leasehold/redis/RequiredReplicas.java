package io.leasehold.redis;

import java.time.Duration;

/** How many replicas have to confirm a lease, and how long they are waited for. */
record RequiredReplicas(int least, Duration timeout) {

    RequiredReplicas withLeast(int other) {
        return new RequiredReplicas(other, timeout);
    }
}
