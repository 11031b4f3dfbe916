package io.leasehold.aop;

import io.leasehold.LockRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The terms that an annotation sets; what is {@code null} is left to the locker. */
record LockTerms(
        @Nullable Duration waitTime,
        @Nullable Duration ttl,
        @Nullable Boolean autoRenew,
        @Nullable Duration maxHoldTime,
        @Nullable Duration minHoldTime) {

    LockRequest request(String key) {
        return new LockRequest(key, waitTime, ttl, autoRenew, maxHoldTime, minHoldTime);
    }
}
