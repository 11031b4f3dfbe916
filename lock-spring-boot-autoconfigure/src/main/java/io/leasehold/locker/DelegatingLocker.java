package io.leasehold.locker;

import io.leasehold.ForcedRelease;
import io.leasehold.LockHandle;
import io.leasehold.LockListing;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.LockRequest;
import io.leasehold.LockState;
import io.leasehold.Locker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A locker that passes every call to another one. A subclass changes keys, or overrides the calls that it changes. */
public abstract class DelegatingLocker implements Locker {

    private final Locker delegate;

    /**
     * Creates the locker.
     *
     * @param delegate the locker that gets the calls
     */
    protected DelegatingLocker(Locker delegate) {
        this.delegate = delegate;
    }

    /**
     * Returns the locker that gets the calls.
     *
     * @return the delegate
     */
    protected final Locker delegate() {
        return delegate;
    }

    /**
     * Returns the key for the delegate.
     *
     * @param key the key that this locker received
     * @return the same key, unless a subclass changes it
     */
    protected String delegateKey(String key) {
        return key;
    }

    @Override
    public String name() {
        return delegate.name();
    }

    @Override
    public Object lockSpace() {
        return delegate.lockSpace();
    }

    @Override
    public Duration waitTime() {
        return delegate.waitTime();
    }

    @Override
    public void requireValid(LockRequest request) {
        delegate.requireValid(request);
    }

    @Override
    public String visibleKey(String key) {
        return delegate.visibleKey(delegateKey(key));
    }

    @Override
    public Optional<LockHandle> tryLock(LockRequest request) {
        return delegate.tryLock(delegateRequest(request));
    }

    @Override
    public CompletionStage<Optional<LockHandle>> tryLockAsync(LockRequest request) {
        return delegate.tryLockAsync(delegateRequest(request));
    }

    @Override
    public CompletionStage<LockNotAcquiredException> notAcquired(String key, Duration waited) {
        return delegate.notAcquired(delegateKey(key), waited);
    }

    @Override
    public CompletionStage<LockState> describe(String key) {
        return delegate.describe(delegateKey(key));
    }

    @Override
    public CompletionStage<LockListing> list(int limit) {
        return delegate.list(limit);
    }

    @Override
    public CompletionStage<ForcedRelease> forceRelease(String key, long fencingToken, String requestedBy) {
        return delegate.forceRelease(delegateKey(key), fencingToken, requestedBy);
    }

    private LockRequest delegateRequest(LockRequest request) {
        String key = delegateKey(request.key());
        return key.equals(request.key()) ? request : request.withKey(key);
    }
}
