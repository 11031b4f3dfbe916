package io.leasehold.memory;

import io.leasehold.spi.Token;

/**
 * A granted lease.
 *
 * @param token whose it is
 * @param firstFence the first of its fencing tokens
 * @param expiresAt when it ends, on the monotonic clock
 */
record Lease(Token token, long firstFence, long expiresAt) {

    boolean hasExpired(long now) {
        return expiresAt - now <= 0;
    }

    Lease until(long deadline) {
        return new Lease(token, firstFence, deadline);
    }

    /** This lease, running at least to a deadline: a renewal that was overtaken takes nothing back. */
    Lease atLeastUntil(long deadline) {
        return deadline - expiresAt > 0 ? until(deadline) : this;
    }
}
