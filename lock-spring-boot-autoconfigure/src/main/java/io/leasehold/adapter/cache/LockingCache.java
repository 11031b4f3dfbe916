package io.leasehold.adapter.cache;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.aop.invocation.LockLosses;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
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
        try {
            return load(key, loader);
        } catch (RuntimeException ex) {
            // of this call, or of another one whose computation this call joined in the cache; the cache of an outer
            // call, which holds the lock then, must not store the value either
            NotCached computed = notCached(ex);
            if (computed != null && !LockContext.allOwn().contains(computed.handle)) {
                return (T) computed.value;
            }
            throw ex;
        }
    }

    private <T> @Nullable T load(Object key, Callable<T> loader) {
        Optional<LockHandle> granted = acquire(key, loader);
        if (granted.isEmpty()) {
            return delegate.get(key, loader);
        }
        try (LockHandle handle = granted.get()) {
            // looks the value up again before it calls the loader, which some caches do on another thread; a locking
            // cache behind it joins the lock
            return LockContext.call(handle, () -> delegate.get(key, () -> compute(handle, loader)));
        } catch (RuntimeException ex) {
            throw ex;
        } catch (Exception ex) {
            throw new ValueRetrievalException(key, loader, ex);
        }
    }

    /** Computes a value under its lock, whose loss does not prevent the commit of the computation. */
    private static <T> @Nullable T compute(LockHandle handle, Callable<T> loader) throws Exception {
        return LockContext.call(
                handle, () -> LockLosses.Tolerated.call(List.of(handle), () -> cacheable(handle, loader.call())));
    }

    /** Acquires the lock of a value. The result is empty if the value is to be computed without another lock. */
    private Optional<LockHandle> acquire(Object key, Callable<?> loader) {
        CacheLocks current = locks.get();
        Locker locker = current.locker();
        try {
            LockRequest request = current.customized(current.request(getName(), key));
            boolean own = LockContext.findOwn(locker, request.key()).isPresent();
            return own ? Optional.empty() : current.acquire(request);
        } catch (RuntimeException ex) {
            // annotated methods throw the cause; after any other exception, a CacheErrorHandler of the application may
            // let Spring compute the value without the lock
            throw new ValueRetrievalException(key, loader, ex);
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> CompletableFuture<T> retrieve(Object key, Supplier<CompletableFuture<T>> loader) {
        CompletableFuture<?> cached = retrieve(key);
        if (cached == null) {
            return prepare(key, loader).get();
        }
        // a look-up that is done continues on this thread
        Supplier<CompletableFuture<T>> load =
                cached.isDone() ? () -> prepare(key, loader).get() : prepare(key, loader);
        return cached.thenCompose(value -> value == null
                ? load.get()
                : CompletableFuture.completedFuture((T) (value instanceof ValueWrapper found ? found.get() : value)));
    }

    /**
     * Determines the lock of a value and its context on the thread of the caller, where key customizers run. The result
     * computes the value on any thread. It throws what prevents the lock, so that a cached value needs none.
     */
    private <T> Supplier<CompletableFuture<T>> prepare(Object key, Supplier<CompletableFuture<T>> loader) {
        try {
            CacheLocks current = locks.get();
            LockRequest request = current.request(getName(), key);
            if (loader instanceof LockedLoader<T> locked && locked.isUnder(current.locker(), request)) {
                return () -> delegate.retrieve(key, loader);
            }
            LockRequest customized = current.customized(request);
            UnaryOperator<CompletableFuture<Optional<LockHandle>>> resumption =
                    current.context().resumption();
            return () -> {
                CompletableFuture<Optional<LockHandle>> attempt = current.acquireAsync(customized);
                return resumption
                        .apply(attempt)
                        .whenComplete((granted, failure) -> {
                            if (failure != null) {
                                attempt.thenAccept(unused -> unused.ifPresent(LockingCache::releaseUnused));
                            }
                        })
                        .thenCompose(granted -> load(current, granted, key, request, loader));
            };
        } catch (RuntimeException ex) {
            return () -> {
                throw ex;
            };
        }
    }

    private <T> CompletableFuture<T> load(
            CacheLocks current,
            Optional<LockHandle> granted,
            Object key,
            LockRequest request,
            Supplier<CompletableFuture<T>> loader) {
        if (granted.isEmpty()) {
            return delegate.retrieve(key, loader).exceptionally(LockingCache::valueOf);
        }
        LockHandle handle = granted.get();
        CompletableFuture<T> loaded = CompletableFuture.completedFuture(handle)
                .thenCompose(held -> delegate.retrieve(key, new LockedLoader<>(held, request.key(), loader)))
                .exceptionally(LockingCache::valueOf);
        CompletableFuture<Boolean> released =
                loaded.handle((value, failure) -> handle.releaseAsync()).thenCompose(answer -> answer);
        // the answer arrives on a thread of the library
        return released.isDone() ? loaded : released.thenComposeAsync(answer -> loaded, current.context()::resume);
    }

    private static void releaseUnused(LockHandle handle) {
        handle.waiveMinHoldTime();
        handle.releaseAsync();
    }

    /** Returns a value that was computed, unless its lock was lost. */
    private static <T extends @Nullable Object> T cacheable(LockHandle handle, T value) {
        if (!handle.isHeld()) {
            throw new NotCached(handle, value);
        }
        return value;
    }

    @SuppressWarnings("unchecked")
    private static <T> @Nullable T valueOf(Throwable failure) {
        NotCached computed = notCached(failure);
        if (computed != null) {
            return (T) computed.value;
        }
        throw failure instanceof CompletionException ex ? ex : new CompletionException(failure);
    }

    /** The value that a cache was prevented from storing, or null if the failure is another one. */
    private static @Nullable NotCached notCached(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ValueRetrievalException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause instanceof NotCached computed ? computed : null;
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
        // an asynchronous cache returns the computation in progress of another call
        CompletableFuture<?> cached = delegate.retrieve(key);
        return cached == null ? null : cached.handle((value, failure) -> failure == null ? value : valueOf(failure));
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

    /** Computes a value under a lock. A locking cache behind this one receives it, on any thread, and joins the lock. */
    private record LockedLoader<T>(LockHandle handle, String key, Supplier<CompletableFuture<T>> loader)
            implements Supplier<CompletableFuture<T>> {

        boolean isUnder(Locker locker, LockRequest request) {
            return handle.lockSpace().equals(locker.lockSpace()) && key.equals(request.key());
        }

        @Override
        public CompletableFuture<T> get() {
            return loader.get().thenApply(value -> LockingCache.<T>cacheable(handle, value));
        }
    }

    /** Carries a value past the cache: a cache stores nothing if its loader throws. */
    private static final class NotCached extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient LockHandle handle;

        private final transient @Nullable Object value;

        NotCached(LockHandle handle, @Nullable Object value) {
            super("its lock was lost", null, false, false);
            this.handle = handle;
            this.value = value;
        }
    }
}
