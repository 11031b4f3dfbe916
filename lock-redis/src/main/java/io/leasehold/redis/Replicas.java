package io.leasehold.redis;

import java.time.Duration;

/** How many replicas have to confirm a lease, and how long they are waited for. */
record Replicas(int least, Duration timeout) {

    Replicas withLeast(int other) {
        return new Replicas(other, timeout);
    }
}
