package io.leasehold.engine;

import java.time.Duration;

/**
 * That the store has confirmed a lease: what the clocks said before it was asked, and how long the answer holds. One
 * object, so that readers never see half of a new proof.
 */
record Proof(long sentAt, long wallMillis, long validUntil) {

    static Proof of(long sentAt, long wallMillis, Duration ttl) {
        return new Proof(sentAt, wallMillis, Validity.end(sentAt, ttl.toNanos()));
    }

    /** This proof, which is the newer one, holding no less long than the older one. */
    Proof noShorterThan(Proof older) {
        return validUntil - older.validUntil >= 0 ? this : new Proof(sentAt, wallMillis, older.validUntil);
    }
}
