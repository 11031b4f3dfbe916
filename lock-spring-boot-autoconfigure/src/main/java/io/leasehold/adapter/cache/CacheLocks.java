package io.leasehold.adapter.cache;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.annotation.LockKeyType;
import io.leasehold.aop.invocation.CallerContext;
import io.leasehold.support.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The locks of caches: from which locker, with which keys, and the reaction if one is not acquired. It is thread-safe.
 */
public final class CacheLocks {

    /**
     * The reaction if the lock of a value is not acquired: it was busy for the whole wait time, or the store failed.
     */
    public enum OnFailure {

        /** The value is computed without the lock, in several instances at the same time. */
        COMPUTE,

        /**
         * The caller receives a {@link LockNotAcquiredException} or a {@link LockBackendException}; the value is not
         * computed.
         */
        FAIL
    }

    /**
     * The text of an object that does not override {@code toString}, or of an array: a key or a part of a key. Its hash
     * may differ between processes, and be the same for unequal objects. It is no e-mail address: neither a dot nor a
     * part of a domain follows.
     */
    private static final Pattern IDENTITY = Pattern.compile("(?<type>(?<![\\w$.])([\\w$]+\\.)+\\p{Lu}[\\w$/]*"
            + "|\\[([BCDFIJSZ]|L[\\w$.]+;))@\\p{XDigit}{1,8}(?![\\w.]|-[\\w-]*\\.(?!\\d))");

    private static final Logger log = LoggerFactory.getLogger(CacheLocks.class);

    private final AtomicBoolean warned = new AtomicBoolean();

    private final Ticker ticker = Ticker.system();

    private final Locker customizing;

    /** Takes keys as {@link Locker#visibleKey} of the other one returns them. */
    private final Locker locker;

    private final OnFailure onFailure;

    private final List<LockKeyType<?>> keyTypes;

    private final CallerContext context;

    /**
     * Creates locks without which values are computed as well.
     *
     * @param locker grants the locks
     */
    public CacheLocks(Locker locker) {
        this(locker, OnFailure.COMPUTE, List.of());
    }

    /**
     * Creates locks.
     *
     * @param locker grants the locks
     * @param onFailure the reaction if a lock is not acquired
     * @param keyTypes convert keys to text; keys of other types are converted by {@code toString}
     */
    public CacheLocks(Locker locker, OnFailure onFailure, List<LockKeyType<?>> keyTypes) {
        this(locker, onFailure, keyTypes, CallerContext.DEFAULT);
    }

    /**
     * Creates locks.
     *
     * @param locker grants the locks
     * @param onFailure the reaction if a lock is not acquired
     * @param keyTypes convert keys to text; keys of other types are converted by {@code toString}
     * @param context has the threads and the context for asynchronous calls that had to wait for a lock
     */
    public CacheLocks(Locker locker, OnFailure onFailure, List<LockKeyType<?>> keyTypes, CallerContext context) {
        this.customizing = locker.withoutTransactions();
        this.locker = customizing.withoutKeyCustomizers();
        this.onFailure = onFailure;
        this.keyTypes = List.copyOf(keyTypes);
        this.context = context;
    }

    CallerContext context() {
        return context;
    }

    Locker locker() {
        return locker;
    }

    /**
     * Returns the request for the lock of a value. The application's key customizers are not applied to it yet.
     *
     * @throws IllegalArgumentException if the key has no text that is the same in every process
     */
    LockRequest request(String cache, Object key) {
        return LockRequest.of(cache + ":" + text(cache, key));
    }

    /** Applies the application's key customizers, which expect the thread of the caller. */
    LockRequest customized(LockRequest request) {
        return request.withKey(customizing.visibleKey(request.key()));
    }

    /** Acquires the lock of a customized request. The result is empty if the value is to be computed without. */
    Optional<LockHandle> acquire(LockRequest request) {
        if (onFailure == OnFailure.FAIL) {
            return Optional.of(locker.lock(request));
        }
        try {
            return reported(locker.tryLock(request));
        } catch (LockBackendException ex) {
            return withoutLock(ex.getMessage());
        }
    }

    /** Acquires a lock as {@link #acquire} does, without blocking a thread. */
    CompletableFuture<Optional<LockHandle>> acquireAsync(LockRequest request) {
        long start = ticker.nanos();
        CompletableFuture<Optional<LockHandle>> attempt =
                locker.tryLockAsync(request).toCompletableFuture();
        if (onFailure == OnFailure.FAIL) {
            return attempt.thenCompose(granted -> granted.isPresent()
                    ? CompletableFuture.completedFuture(granted)
                    : locker.notAcquired(request.key(), Duration.ofNanos(ticker.nanos() - start))
                            .thenCompose(CompletableFuture::failedStage));
        }
        return attempt.thenApply(this::reported).exceptionally(failure -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            if (cause instanceof LockBackendException) {
                return withoutLock(cause.getMessage());
            }
            throw new CompletionException(cause);
        });
    }

    private Optional<LockHandle> reported(Optional<LockHandle> granted) {
        if (granted.isEmpty()) {
            return withoutLock("the lock was held by another caller for the whole wait time");
        }
        warned.set(false);
        return granted;
    }

    /** Is reported once until a lock is granted again, since an outage of the store concerns each missing value. */
    private Optional<LockHandle> withoutLock(@Nullable String reason) {
        if (!warned.getAndSet(true)) {
            log.warn(
                    "Values of caches are computed without a lock of locker '{}', also in several instances at the same"
                            + " time, until one is acquired again; lock.cache.on-failure=fail would fail their callers: {}",
                    locker.name(),
                    reason);
        }
        return Optional.empty();
    }

    private String text(String cache, Object key) {
        for (LockKeyType<?> type : keyTypes) {
            if (type.type().isInstance(key)) {
                return text(cache, type, key);
            }
        }
        String text = key.toString();
        Matcher identity = IDENTITY.matcher(text);
        if (!(key instanceof CharSequence) && identity.find()) {
            String type = identity.group("type");
            throw new IllegalArgumentException("a key of type " + key.getClass().getTypeName() + " of cache '" + cache
                    + "' has no text that is the same in every process, because of the toString() of "
                    + (type.startsWith("[") ? "an array" : type) + ", so locker '" + locker.name()
                    + "' cannot lock it; "
                    + (type.startsWith("[") ? "use a key with the text of the array" : "override that toString()")
                    + ", or declare a bean of type LockKeyType for the key");
        }
        return text;
    }

    private static <T> String text(String cache, LockKeyType<T> type, Object key) {
        String text = type.text().apply(type.type().cast(key));
        if (text == null) {
            throw new IllegalArgumentException(
                    "the LockKeyType for " + type.type().getName() + " returned null for a key of cache '" + cache
                            + "'; return a text for each key");
        }
        return text;
    }
}
