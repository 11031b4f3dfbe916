package io.leasehold.adapter.cache;

import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.concurrent.ConcurrentMapCache;

/** A cache of computations, as Caffeine's asynchronous one: calls for a value in progress join its computation. */
final class AsynchronousCache extends ConcurrentMapCache {

    private final Map<Object, CompletableFuture<?>> computations = new ConcurrentHashMap<>();

    private final AtomicInteger joined = new AtomicInteger();

    AsynchronousCache() {
        super("prices");
    }

    /** The number of blocking calls that have joined a computation. */
    int joined() {
        return joined.get();
    }

    @Override
    public @Nullable CompletableFuture<?> retrieve(Object key) {
        return computations.get(key);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> CompletableFuture<T> retrieve(Object key, Supplier<CompletableFuture<T>> loader) {
        CompletableFuture<T> computation =
                (CompletableFuture<T>) computations.computeIfAbsent(key, missing -> loader.get());
        computation.whenComplete((value, failure) -> {
            computations.remove(key);
            if (failure == null) {
                put(key, value);
            }
        });
        return computation;
    }

    /** Fails with the exception of the computation itself. */
    @Override
    @SuppressWarnings("unchecked")
    public <T> @Nullable T get(Object key, Callable<T> loader) {
        CompletableFuture<?> computation = computations.get(key);
        if (computation == null) {
            return super.get(key, loader);
        }
        joined.incrementAndGet();
        try {
            return (T) computation.join();
        } catch (CompletionException ex) {
            throw ex.getCause() instanceof RuntimeException failure ? failure : ex;
        }
    }
}
