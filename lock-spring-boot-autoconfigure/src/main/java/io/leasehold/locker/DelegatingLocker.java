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

/**
 * A locker that passes every call to another one. A subclass changes keys, or overrides the calls that it changes.
 *
 * <p>{@link #withoutTransactions()} and {@link #withoutKeyCustomizers()} return shallow copies of this object with
 * another delegate. A copy has the overridden methods of the subclass, and shares the objects in its fields.
 */
public abstract class DelegatingLocker implements Locker, Cloneable {

    // not final: a copy has another one
    private Locker delegate;

    /** Whether the keys that this locker receives are visible ones, which must not be changed again. */
    private boolean receivesVisibleKeys;

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
     * Returns the key for the delegate. It is not called by a locker {@linkplain #withoutKeyCustomizers() without key
     * customizers}.
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
    public Locker withoutTransactions() {
        Locker plain = delegate.withoutTransactions();
        return plain == delegate ? this : over(plain, receivesVisibleKeys);
    }

    @Override
    public Locker withoutKeyCustomizers() {
        // the copy receives keys that delegateKey has changed already
        Locker plain = delegate.withoutKeyCustomizers();
        return plain == delegate && receivesVisibleKeys ? this : over(plain, true);
    }

    private DelegatingLocker over(Locker other, boolean visibleKeys) {
        try {
            DelegatingLocker copy = (DelegatingLocker) clone();
            copy.delegate = other;
            copy.receivesVisibleKeys = visibleKeys;
            return copy;
        } catch (CloneNotSupportedException ex) {
            throw new IllegalStateException(getClass().getName() + " must not refuse to be cloned", ex);
        }
    }

    @Override
    public String visibleKey(String key) {
        return delegate.visibleKey(keyForDelegate(key));
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
        return delegate.notAcquired(keyForDelegate(key), waited);
    }

    @Override
    public CompletionStage<LockState> describe(String key) {
        return delegate.describe(keyForDelegate(key));
    }

    @Override
    public CompletionStage<LockListing> list(int limit) {
        return delegate.list(limit);
    }

    @Override
    public CompletionStage<ForcedRelease> forceRelease(String key, long fencingToken, String requestedBy) {
        return delegate.forceRelease(keyForDelegate(key), fencingToken, requestedBy);
    }

    private String keyForDelegate(String key) {
        return receivesVisibleKeys ? key : delegateKey(key);
    }

    private LockRequest delegateRequest(LockRequest request) {
        String key = keyForDelegate(request.key());
        return key.equals(request.key()) ? request : request.withKey(key);
    }
}
