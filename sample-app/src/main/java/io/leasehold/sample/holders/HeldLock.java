package io.leasehold.sample.holders;

import io.leasehold.LockListing;
import io.leasehold.LockState;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A lock that is held according to its store.
 *
 * @param key what is locked
 * @param kind whether an instance holds it, has released it or had it taken away, or whether the holder is foreign
 * @param holder the name of the process that holds it, and its thread, {@code null} if it is unknown
 * @param here whether that process is this instance
 * @param since when it was granted, {@code null} if it is unknown
 * @param remainingMillis how much longer it is held if it is not renewed, {@code null} if it never expires
 * @param fencingToken names this hold; a text, because the numbers of JavaScript have 53 bits
 * @param waiting how many callers wait for it, {@code null} if the store does not count them
 */
record HeldLock(
        String key,
        LockState.Kind kind,
        @Nullable String holder,
        boolean here,
        @Nullable Instant since,
        @Nullable Long remainingMillis,
        @Nullable String fencingToken,
        @Nullable Integer waiting) {

    static HeldLock of(LockListing.Entry lock, boolean here) {
        LockState.Held state = lock.state();
        Duration remaining = state.remaining();
        OptionalLong fencingToken = state.fencingToken();
        OptionalInt waiting = state.waiting();
        return new HeldLock(
                lock.key(),
                state.kind(),
                state.holder(),
                here,
                state.since(),
                remaining == null ? null : remaining.toMillis(),
                fencingToken.isPresent() ? Long.toString(fencingToken.getAsLong()) : null,
                waiting.isPresent() ? waiting.getAsInt() : null);
    }
}
