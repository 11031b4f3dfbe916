package io.leasehold.test;

import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import java.time.Duration;
import java.util.Optional;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/**
 * Assertions about a {@link Locker}. They try to acquire the lock without waiting, and release a granted lock
 * immediately. Listeners and meters count these attempts.
 */
public final class LockerAssert extends AbstractAssert<LockerAssert, Locker> {

    LockerAssert(@Nullable Locker actual) {
        super(actual, LockerAssert.class);
    }

    /** Checks that the lock of a key can be acquired. */
    public LockerAssert isFree(String key) {
        if (!wouldGrant(key)) {
            failWithMessage(
                    "Expected key '%s' of locker '%s' to be free, but another holder has it", key, actual.name());
        }
        return this;
    }

    /** Checks that a holder has the lock of a key, or that a minimum hold time keeps it. */
    public LockerAssert isLocked(String key) {
        if (wouldGrant(key)) {
            failWithMessage("Expected key '%s' of locker '%s' to be locked, but it was free", key, actual.name());
        }
        return this;
    }

    private boolean wouldGrant(String key) {
        isNotNull();
        LockRequest request = LockRequest.of(key).withWaitTime(Duration.ZERO).withMinHoldTime(Duration.ZERO);
        Optional<LockHandle> granted = actual.withoutTransactions().tryLock(request);
        granted.ifPresent(LockHandle::release);
        return granted.isPresent();
    }
}
