package io.leasehold.autoconfigure.locker;

import io.leasehold.LockHandle;
import io.leasehold.LockKeys;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.LockRequest;
import io.leasehold.LockState;
import io.leasehold.Locker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A locker that masks keys before any other part of the library sees them. Stores, handles, exceptions, events, listeners,
 * log lines and the endpoint therefore only have the hash, and need no rule of their own.
 */
public final class KeyMaskingLocker implements Locker {

    private final Locker delegate;

    private KeyMaskingLocker(Locker delegate) {
        this.delegate = delegate;
    }

    /** The locker with masked keys, or the locker itself if keys are not masked. */
    public static Locker of(Locker locker, boolean maskKeys) {
        return maskKeys ? new KeyMaskingLocker(locker) : locker;
    }

    @Override
    public String name() {
        return delegate.name();
    }

    @Override
    public String visibleKey(String key) {
        return LockKeys.mask(key);
    }

    @Override
    public Optional<LockHandle> tryLock(LockRequest request) {
        return delegate.tryLock(masked(request));
    }

    @Override
    public CompletionStage<Optional<LockHandle>> tryLockAsync(LockRequest request) {
        return delegate.tryLockAsync(masked(request));
    }

    @Override
    public CompletionStage<LockNotAcquiredException> notAcquired(String key, Duration waited) {
        return delegate.notAcquired(LockKeys.mask(key), waited);
    }

    @Override
    public CompletionStage<LockState> describe(String key) {
        return delegate.describe(LockKeys.mask(key));
    }

    private static LockRequest masked(LockRequest request) {
        return request.withKey(LockKeys.mask(request.key()));
    }
}
