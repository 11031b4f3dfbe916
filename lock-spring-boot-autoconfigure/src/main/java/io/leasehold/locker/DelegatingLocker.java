package io.leasehold.locker;

import io.leasehold.ForcedRelease;
import io.leasehold.LockHandle;
import io.leasehold.LockListing;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.LockRequest;
import io.leasehold.LockState;
import io.leasehold.Locker;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

/**
 * A locker that passes every call to another one. A subclass changes keys, or overrides the calls that it changes.
 *
 * <p>A subclass that changes handles, such as one that writes an audit log, overrides {@link #tryLock} and
 * {@link #tryLockAsync}, the latter with {@link #decorated}:
 *
 * <pre>{@code
 * public Optional<LockHandle> tryLock(LockRequest request) {
 *     return super.tryLock(request).map(AuditedHandle::new);
 * }
 *
 * public CompletionStage<Optional<LockHandle>> tryLockAsync(LockRequest request) {
 *     return decorated(super.tryLockAsync(request), AuditedHandle::new);
 * }
 * }</pre>
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
    public boolean isKeptByTransaction(String key) {
        return delegate.isKeptByTransaction(keyForDelegate(key));
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

    /**
     * Decorates the handle of an asynchronous attempt. A caller that gives up, as a timeout or the end of a subscription
     * does, cancels or completes the returned stage. This method then cancels the attempt, and releases a lock that is
     * granted nevertheless, as well as one whose decoration fails. The stage of {@code attempt.thenApply(...)} does
     * neither: the lock would be held, and renewed, until its process or its maximum hold time ends.
     *
     * @param attempt the attempt of the delegate
     * @param decoration returns the handle for the caller
     * @return the attempt with the handle for the caller
     */
    protected static CompletionStage<Optional<LockHandle>> decorated(
            CompletionStage<Optional<LockHandle>> attempt, UnaryOperator<LockHandle> decoration) {
        CompletableFuture<Optional<LockHandle>> granting = attempt.toCompletableFuture();
        DecoratedAttempt result = new DecoratedAttempt(granting);
        granting.whenComplete((granted, failure) -> {
            if (failure != null) {
                result.completeExceptionally(failure);
                return;
            }
            boolean received = false;
            try {
                received = !result.isDone()
                        && result.complete(granted.map(handle ->
                                Objects.requireNonNull(decoration.apply(handle), "decoration returned null")));
            } catch (Throwable ex) {
                result.completeExceptionally(ex);
            } finally {
                if (!received) {
                    granted.ifPresent(DelegatingLocker::releaseUnused);
                }
            }
        });
        // gives up the attempt if the caller cancelled or completed the result; has no effect otherwise
        result.whenComplete((granted, failure) -> granting.cancel(true));
        return result;
    }

    private static void releaseUnused(LockHandle handle) {
        handle.waiveMinHoldTime();
        handle.releaseAsync();
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

    /**
     * The result of an attempt with a decorated handle. A thread that waits for it waits for the attempt, which it may do on
     * each thread of the engine's executor.
     */
    private static final class DecoratedAttempt extends CompletableFuture<Optional<LockHandle>> {

        private final CompletableFuture<Optional<LockHandle>> attempt;

        DecoratedAttempt(CompletableFuture<Optional<LockHandle>> attempt) {
            this.attempt = attempt;
        }

        @Override
        public Optional<LockHandle> join() {
            try {
                attempt.join();
            } catch (CompletionException | CancellationException ex) {
                // as of this future
            }
            return super.join();
        }

        @Override
        public Optional<LockHandle> get() throws InterruptedException, ExecutionException {
            try {
                attempt.get();
            } catch (ExecutionException | CancellationException ex) {
                // as of this future
            }
            return super.get();
        }

        @Override
        public Optional<LockHandle> get(long timeout, TimeUnit unit)
                throws InterruptedException, ExecutionException, TimeoutException {
            try {
                attempt.get(timeout, unit);
            } catch (ExecutionException | CancellationException ex) {
                // as of this future
            }
            return super.get(timeout, unit);
        }
    }
}
