package io.leasehold.adapter.cache;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.support.AbstractValueAdaptingCache;

/** A cache that several instances share, and that does not prevent two of them from computing the same value. */
final class SharedCache extends AbstractValueAdaptingCache {

    private final ConcurrentMap<Object, Object> values = new ConcurrentHashMap<>();

    /** Called after each lookup. */
    private Runnable afterLookup = () -> {};

    SharedCache() {
        super(true);
    }

    void afterNextLookup(Runnable action) {
        afterLookup = () -> {
            afterLookup = () -> {};
            action.run();
        };
    }

    @Override
    protected @Nullable Object lookup(Object key) {
        Object value = values.get(key);
        afterLookup.run();
        return value;
    }

    @Override
    public String getName() {
        return "prices";
    }

    @Override
    public Object getNativeCache() {
        return values;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> @Nullable T get(Object key, Callable<T> loader) {
        ValueWrapper cached = get(key);
        if (cached != null) {
            return (T) cached.get();
        }
        T value;
        try {
            value = loader.call();
        } catch (Exception ex) {
            throw new ValueRetrievalException(key, loader, ex);
        }
        put(key, value);
        return value;
    }

    @Override
    public CompletableFuture<?> retrieve(Object key) {
        return CompletableFuture.completedFuture(get(key));
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> CompletableFuture<T> retrieve(Object key, Supplier<CompletableFuture<T>> loader) {
        ValueWrapper cached = get(key);
        return cached != null
                ? CompletableFuture.completedFuture((T) cached.get())
                : loader.get().thenApply(value -> {
                    put(key, value);
                    return value;
                });
    }

    @Override
    public void put(Object key, @Nullable Object value) {
        values.put(key, toStoreValue(value));
    }

    @Override
    public void evict(Object key) {
        values.remove(key);
    }

    @Override
    public void clear() {
        values.clear();
    }
}
