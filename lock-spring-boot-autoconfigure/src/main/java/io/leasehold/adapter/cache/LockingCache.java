package io.leasehold.adapter.cache;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.Cache;

/** A cache whose missing values are computed under a lock; see {@link LockingCacheManager}. */
final class LockingCache implements Cache {

    private final Cache delegate;

    private final Supplier<CacheLocks> locks;

    LockingCache(Cache delegate, Supplier<CacheLocks> locks) {
        this.delegate = delegate;
        this.locks = locks;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> @Nullable T get(Object key, Callable<T> loader) {
        ValueWrapper cached = delegate.get(key);
        if (cached != null) {
            return (T) cached.get();
        }
        CacheLocks current = locks.get();
        LockRequest request = current.request(getName(), key);
        Locker locker = current.locker();
        if (LockContext.findOwn(locker, locker.visibleKey(request.key())).isPresent()) {
            return delegate.get(key, loader);
        }
        Optional<LockHandle> granted = current.acquire(request);
        if (granted.isEmpty()) {
            return delegate.get(key, loader);
        }
        try (LockHandle handle = granted.get()) {
            // looks the value up again before it calls the loader
            return delegate.get(key, () -> LockContext.call(handle, () -> cacheable(handle, loader.call())));
        } catch (ValueRetrievalException ex) {
            if (ex.getCause() instanceof NotCached computed) {
                return (T) computed.value;
            }
            throw ex;
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> CompletableFuture<T> retrieve(Object key, Supplier<CompletableFuture<T>> loader) {
        CompletableFuture<?> cached = delegate.retrieve(key);
        if (cached == null) {
            return load(key, loader);
        }
        return cached.thenCompose(value -> value == null
                ? load(key, loader)
                : CompletableFuture.completedFuture((T) (value instanceof ValueWrapper found ? found.get() : value)));
    }

    private <T> CompletableFuture<T> load(Object key, Supplier<CompletableFuture<T>> loader) {
        CacheLocks current = locks.get();
        return current.acquireAsync(current.request(getName(), key))
                .thenCompose(granted -> granted.map(handle -> loadUnder(handle, key, loader))
                        .orElseGet(() -> delegate.retrieve(key, loader)));
    }

    private <T> CompletableFuture<T> loadUnder(LockHandle handle, Object key, Supplier<CompletableFuture<T>> loader) {
        CompletableFuture<T> loaded = CompletableFuture.completedFuture(handle)
                .thenCompose(held -> delegate.retrieve(
                        key, () -> loader.get().thenApply(value -> LockingCache.<T>cacheable(held, value))))
                .exceptionally(LockingCache::valueOf);
        return loaded.handle((value, failure) -> handle.releaseAsync())
                .thenCompose(released -> released)
                .thenCompose(released -> loaded);
    }

    /** Returns a value that was computed, unless its lock was lost. */
    private static <T extends @Nullable Object> T cacheable(LockHandle handle, T value) {
        if (!handle.isHeld()) {
            throw new NotCached(value);
        }
        return value;
    }

    @SuppressWarnings("unchecked")
    private static <T> @Nullable T valueOf(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof NotCached computed) {
            return (T) computed.value;
        }
        throw new CompletionException(cause);
    }

    @Override
    public String getName() {
        return delegate.getName();
    }

    @Override
    public Object getNativeCache() {
        return delegate.getNativeCache();
    }

    @Override
    public @Nullable ValueWrapper get(Object key) {
        return delegate.get(key);
    }

    @Override
    public <T> @Nullable T get(Object key, @Nullable Class<T> type) {
        return delegate.get(key, type);
    }

    @Override
    public @Nullable CompletableFuture<?> retrieve(Object key) {
        return delegate.retrieve(key);
    }

    @Override
    public void put(Object key, @Nullable Object value) {
        delegate.put(key, value);
    }

    @Override
    public @Nullable ValueWrapper putIfAbsent(Object key, @Nullable Object value) {
        return delegate.putIfAbsent(key, value);
    }

    @Override
    public void evict(Object key) {
        delegate.evict(key);
    }

    @Override
    public boolean evictIfPresent(Object key) {
        return delegate.evictIfPresent(key);
    }

    @Override
    public void clear() {
        delegate.clear();
    }

    @Override
    public boolean invalidate() {
        return delegate.invalidate();
    }

    /** Carries a value past the cache: a cache stores nothing if its loader throws. */
    private static final class NotCached extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient @Nullable Object value;

        NotCached(@Nullable Object value) {
            super("its lock was lost", null, false, false);
            this.value = value;
        }
    }
}
