package io.leasehold.adapter.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockBackendException;
import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.LockLostException;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.Locker;
import io.leasehold.adapter.cache.CacheLocks.OnFailure;
import io.leasehold.annotation.LockKeyType;
import io.leasehold.aop.FakeTransactions;
import io.leasehold.aop.transaction.LeaseCommitGuard;
import io.leasehold.engine.LockerSettings;
import io.leasehold.test.TestLocks;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cache.Cache;
import org.springframework.cache.Cache.ValueRetrievalException;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.CachingConfigurer;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCache;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.cache.interceptor.CacheErrorHandler;
import org.springframework.cache.interceptor.LoggingCacheErrorHandler;
import org.springframework.cache.interceptor.SimpleKey;
import org.springframework.cache.support.SimpleCacheManager;
import org.springframework.cache.transaction.TransactionAwareCacheManagerProxy;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.transaction.TransactionDefinition;

/** One instance computes a missing value, under the lock of its key. */
class LockingCacheManagerTests {

    private static final String LOCKED = "prices:7";

    @RegisterExtension
    final TestLocks locks = TestLocks.create();

    private final Locker locker = locks.locker(LockerSettings.of("caches").withWaitTime(Duration.ZERO));

    private final SharedCache shared = new SharedCache();

    private final Cache cache = cache(new CacheLocks(locker));

    private final Cache strict = cache(new CacheLocks(locker, OnFailure.FAIL, List.of()));

    private final AtomicInteger computed = new AtomicInteger();

    @Test
    void aMissingValueIsComputedUnderTheLockOfItsKey() {
        String value = cache.get("7", () -> {
            assertThat(LockContext.find("caches", LOCKED)).hasValueSatisfying(LockHandle::requireHeld);
            assertThat(locks.held()).hasSize(1);
            return "seven";
        });
        assertThat(value).isEqualTo("seven");
        assertThat(shared.get("7", String.class)).isEqualTo("seven");
        assertThat(locks.held()).isEmpty();
    }

    @Test
    void aCachedValueNeedsNoLock() {
        shared.put("7", "seven");
        locks.deny(LOCKED);
        assertThat(strict.get("7", this::compute)).isEqualTo("seven");
        assertThat(strict.retrieve("7", this::computeLater).join()).isEqualTo("seven");
        assertThat(computed).hasValue(0);
    }

    @Test
    void aValueThatAnotherInstanceHasCachedMeanwhileIsNotComputed() {
        shared.afterNextLookup(() -> shared.put("7", "theirs"));
        assertThat(cache.get("7", this::compute)).isEqualTo("theirs");
        shared.clear();
        shared.afterNextLookup(() -> shared.put("7", "theirs"));
        assertThat(cache.retrieve("7", this::computeLater).join()).isEqualTo("theirs");
        assertThat(computed).hasValue(0);
    }

    @Test
    void aFailedComputationReleasesTheLock() {
        IllegalStateException failure = new IllegalStateException("no price");
        assertThatExceptionOfType(ValueRetrievalException.class)
                .isThrownBy(() -> cache.get("7", () -> {
                    throw failure;
                }))
                .withCause(failure);
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> cache.retrieve("7", () -> CompletableFuture.failedFuture(failure))
                        .join())
                .withCause(failure);
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> cache.retrieve("7", () -> {
                            throw failure;
                        })
                        .join())
                .withCause(failure);
        assertThat(locks.held()).isEmpty();
        assertThat(cache.get("7", this::compute)).isEqualTo("seven");
    }

    @Test
    void nullIsAValue() {
        assertThat(cache.get("7", this::computeNothing)).isNull();
        assertThat(cache.get("7", this::computeNothing)).isNull();
        assertThat(cache.retrieve("7", this::computeLater).join()).isNull();
        assertThat(computed).hasValue(1);
    }

    @Test
    void aBusyLockComputesWithoutOrFails() {
        locks.holdElsewhere(LOCKED);
        assertThatExceptionOfType(LockNotAcquiredException.class)
                .isThrownBy(() -> annotated(strict, "7"))
                .withMessageContaining("'prices:7'");
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> strict.retrieve("7", this::computeLater).join())
                .withCauseInstanceOf(LockNotAcquiredException.class);
        assertThat(computed).hasValue(0);
        assertThat(cache.get("7", this::compute)).isEqualTo("seven");
        shared.clear();
        assertThat(cache.retrieve("7", this::computeLater).join()).isEqualTo("seven");
        assertThat(computed).hasValue(2);
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void theFirstComputationWithoutALockIsReported(CapturedOutput output) {
        String warning = "Values of caches are computed without a lock of locker 'caches'";
        locks.deny(LOCKED);
        cache.get("7", this::compute);
        assertThat(output).containsOnlyOnce(warning);

        shared.clear();
        cache.retrieve("7", this::computeLater).join();
        assertThat(output).containsOnlyOnce(warning);

        cache.get("8", this::compute);
        locks.holdElsewhere("prices:9");
        cache.retrieve("9", this::computeLater).join();
        assertThat(output).contains("until one is acquired again").containsSubsequence(warning, warning);
        assertThat(computed).hasValue(4);
    }

    /** As {@code LoggingCacheErrorHandler}: Spring would compute the value after the handler has returned. */
    @Test
    void anErrorHandlerOfTheApplicationDoesNotComputeWithoutTheLock() {
        locks.holdElsewhere(LOCKED);
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.registerBean(
                    CacheManager.class,
                    () -> new LockingCacheManager(
                            new ConcurrentMapCacheManager("prices"),
                            new CacheLocks(locker, OnFailure.FAIL, List.of())));
            context.register(Caching.class, Prices.class);
            context.refresh();
            Prices prices = context.getBean(Prices.class);
            assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> prices.of("7"));
            assertThat(prices.of("8")).isEqualTo("computed");
        }
    }

    @EnableCaching
    static class Caching implements CachingConfigurer {

        @Override
        public CacheErrorHandler errorHandler() {
            return new LoggingCacheErrorHandler();
        }
    }

    static class Prices {

        @Cacheable(cacheNames = "prices", sync = true)
        public String of(String item) {
            return "computed";
        }
    }

    @Test
    void aStoreThatRefusesComputesWithoutOrFails() {
        locks.deny(LOCKED);
        assertThatExceptionOfType(LockBackendException.class).isThrownBy(() -> annotated(strict, "7"));
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> strict.retrieve("7", this::computeLater).join())
                .withCauseInstanceOf(LockBackendException.class);
        assertThat(computed).hasValue(0);
        assertThat(cache.get("7", this::compute)).isEqualTo("seven");
        shared.clear();
        assertThat(cache.retrieve("7", this::computeLater).join()).isEqualTo("seven");
        assertThat(computed).hasValue(2);
    }

    @Test
    void aValueWhoseLockWasLostIsReturnedAndNotCached() {
        String value = cache.get("7", () -> {
            locks.lose(LOCKED);
            return "old";
        });
        assertThat(value).isEqualTo("old");
        assertThat(shared.get("7")).isNull();
        CompletableFuture<String> later = cache.retrieve("7", () -> {
            locks.lose(LOCKED);
            return CompletableFuture.completedFuture("old");
        });
        assertThat(later.join()).isEqualTo("old");
        assertThat(shared.get("7")).isNull();
        assertThat(cache.get("7", this::compute)).isEqualTo("seven");
    }

    @Test
    void aComputationWhoseLockWasLostCommits() {
        FakeTransactions transactions = guardedTransactions();
        String value = cache.get(
                "7",
                () -> transactions
                        .template(TransactionDefinition.PROPAGATION_REQUIRED)
                        .execute(status -> {
                            locks.lose(LOCKED);
                            return "old";
                        }));
        assertThat(value).isEqualTo("old");
        assertThat(transactions.outcomes()).containsExactly("committed");
        assertThat(shared.get("7")).isNull();
    }

    @Test
    void aComputationUnderAnotherLostLockDoesNotCommit() {
        FakeTransactions transactions = guardedTransactions();
        Callable<String> computation = () -> transactions
                .template(TransactionDefinition.PROPAGATION_REQUIRED)
                .execute(status -> {
                    locks.lose("order");
                    return "old";
                });
        assertThatExceptionOfType(ValueRetrievalException.class)
                .isThrownBy(() -> locker.executeLocked("order", () -> cache.get("7", computation)))
                .withCauseInstanceOf(LockLostException.class);
        assertThat(transactions.outcomes()).containsExactly("rolled back");
        assertThat(shared.get("7")).isNull();
    }

    private static FakeTransactions guardedTransactions() {
        FakeTransactions transactions = new FakeTransactions();
        new LeaseCommitGuard().postProcessAfterInitialization(transactions, "transactions");
        return transactions;
    }

    @Test
    void aValueWhoseLockWasLostIsNotCachedByACacheThatComputesAtomically() {
        Cache atomic = Objects.requireNonNull(
                new LockingCacheManager(new ConcurrentMapCacheManager("prices"), locker).getCache("prices"));
        String value = atomic.get("7", () -> {
            locks.lose(LOCKED);
            return "old";
        });
        assertThat(value).isEqualTo("old");
        CompletableFuture<String> later = atomic.retrieve("7", () -> {
            locks.lose(LOCKED);
            return CompletableFuture.completedFuture("old");
        });
        assertThat(later.join()).isEqualTo("old");
        assertThat(atomic.get("7")).isNull();
    }

    /** They need no lock, since the cache knows the computation. */
    @Test
    void callersThatJoinAComputationGetItsValueIfTheLockIsLost() {
        AsynchronousCache computing = new AsynchronousCache();
        Cache locked = cache(computing, new CacheLocks(locker));
        CompletableFuture<String> value = new CompletableFuture<>();
        CompletableFuture<String> first = locked.retrieve("7", () -> value);
        CompletableFuture<String> joined = locked.retrieve("7", this::computeLater);
        CompletableFuture<?> found = Objects.requireNonNull(locked.retrieve("7"));
        CompletableFuture<String> blocking = CompletableFuture.supplyAsync(() -> locked.get("7", this::compute));
        await().until(() -> computing.joined() == 1);
        locks.lose(LOCKED);
        value.complete("old");
        assertThat(List.of(first, joined, found, blocking))
                .allSatisfy(each ->
                        assertThat(each).succeedsWithin(Duration.ofSeconds(20)).isEqualTo("old"));
        assertThat(computed).hasValue(0);
        assertThat(computing.get("7")).isNull();
    }

    @Test
    void aComputationThatNeedsItsOwnValueDoesNotWaitForItself() {
        assertThat(strict.get("7", () -> strict.get("7", this::compute))).isEqualTo("seven");
        assertThat(locks.held()).isEmpty();
    }

    @Test
    void aManagerAroundALockingOneComputesUnderOneLock() {
        CacheManager inner = new LockingCacheManager(new ConcurrentMapCacheManager("prices"), fail());
        Cache outer = Objects.requireNonNull(
                new LockingCacheManager(new TransactionAwareCacheManagerProxy(inner), fail()).getCache("prices"));
        assertThat(lockOf(outer, "7")).isEqualTo(LOCKED);
        assertThat(outer.get("7", this::compute)).isEqualTo(LOCKED);
        assertThat(outer.retrieve("8", this::computeLater))
                .succeedsWithin(Duration.ofSeconds(20))
                .isEqualTo("seven");
        assertThat(computed).hasValue(1);
        assertThat(locks.held()).isEmpty();
    }

    @Test
    void aLocalCacheInFrontOfALockingOneComputesUnderOneLock() {
        LocalCache local = new LocalCache(strict);
        Cache outer = cache(local, fail());
        assertThat(lockOf(outer, "7")).isEqualTo(LOCKED);
        assertThat(outer.retrieve("8", this::computeLater))
                .succeedsWithin(Duration.ofSeconds(20))
                .isEqualTo("seven");
        assertThat(List.of(local, shared)).allSatisfy(each -> {
            assertThat(value(each.get("7"))).isEqualTo(LOCKED);
            assertThat(value(each.get("8"))).isEqualTo("seven");
        });
        assertThat(locks.held()).isEmpty();
    }

    @Test
    void aValueWhoseLockWasLostIsCachedAtNoLevel() {
        LocalCache local = new LocalCache(strict);
        Cache outer = cache(local, fail());
        assertThat(outer.get("7", () -> {
                    locks.lose(LOCKED);
                    return "old";
                }))
                .isEqualTo("old");
        assertThat(outer.retrieve("8", () -> {
                    locks.lose("prices:8");
                    return CompletableFuture.completedFuture("old");
                }))
                .succeedsWithin(Duration.ofSeconds(20))
                .isEqualTo("old");
        assertThat(List.of(local, shared)).allSatisfy(each -> {
            assertThat(each.get("7")).isNull();
            assertThat(each.get("8")).isNull();
        });
    }

    @Test
    void keysOfOtherTypesAreLockedByTheirText() {
        assertThat(lockOf(cache, 7L)).isEqualTo("prices:7");
        assertThat(lockOf(cache, new SimpleKey("7", "EUR"))).isEqualTo("prices:SimpleKey [7, EUR]");
        assertThat(lockOf(cache, new Item("7"))).isEqualTo("prices:Item[number=7]");
        assertThat(lockOf(cache, "")).isEqualTo("prices:");
    }

    @Test
    void aTypeOfKeysMayHaveATextOfItsOwn() {
        List<LockKeyType<?>> types = List.of(new LockKeyType<>(Item.class, Item::number));
        Cache converting = cache(new CacheLocks(locker, OnFailure.FAIL, types));
        assertThat(lockOf(converting, new Item("7"))).isEqualTo("prices:7");
        assertThat(lockOf(converting, 7)).isEqualTo("prices:7");
    }

    /** All such keys would have one lock. */
    @Test
    void aTypeOfKeysWithoutATextForAKeyIsRefused() {
        List<LockKeyType<?>> types = List.of(new LockKeyType<>(Item.class, item -> null));
        Cache converting = cache(new CacheLocks(locker, OnFailure.FAIL, types));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> annotated(converting, new Item("7")))
                .withMessage("the LockKeyType for " + Item.class.getName()
                        + " returned null for a key of cache 'prices'; return a text for each key");
        assertThat(computed).hasValue(0);
    }

    @Test
    void aKeyWithoutAStableTextIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> annotated(cache, new Object()))
                .withMessageContaining("java.lang.Object")
                .withMessageContaining("'prices'")
                .withMessageContaining("LockKeyType");
        assertThatIllegalArgumentException().isThrownBy(() -> annotated(cache, new byte[1]));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> annotated(cache, new Sku(7)))
                .withMessageContaining(Sku.class.getName());
        assertThat(computed).hasValue(0);
    }

    @Test
    void aKeyWithAPartWithoutAStableTextIsRefused() {
        List<Object> keys = List.of(
                new SimpleKey("7", new Sku(7)),
                List.of("7", new byte[1]),
                List.of("7", new String[1]),
                List.of("7", new int[1][1]),
                List.of(new Sku(7)),
                Optional.of(new Object()));
        assertThat(keys)
                .allSatisfy(key -> assertThatIllegalArgumentException()
                        .isThrownBy(() -> annotated(cache, key))
                        .withMessageContaining(key.getClass().getName()));
        assertThat(computed).hasValue(0);
    }

    @Test
    void aTextThatContainsAnAtSignIsAKey() {
        assertThat(lockOf(cache, "java.lang.Object@1f")).isEqualTo("prices:java.lang.Object@1f");
        assertThat(lockOf(cache, new SimpleKey("john.doe@cafe.example", "a@b")))
                .isEqualTo("prices:SimpleKey [john.doe@cafe.example, a@b]");
        assertThat(lockOf(cache, new SimpleKey("Anna.Schmidt@de-mail.de", 7)))
                .isEqualTo("prices:SimpleKey [Anna.Schmidt@de-mail.de, 7]");
        assertThat(lockOf(cache, List.of("Anna.Schmidt@de-mail.de_7"))).isEqualTo("prices:[Anna.Schmidt@de-mail.de_7]");
        assertThatIllegalArgumentException().isThrownBy(() -> annotated(cache, List.of(new Object() + "-7")));
        assertThatIllegalArgumentException().isThrownBy(() -> annotated(cache, List.of(new Object() + "-1.5")));
    }

    @Test
    void allOtherMethodsGoToTheCache() {
        locks.deny(LOCKED);
        assertThat(strict.getName()).isEqualTo("prices");
        assertThat(strict.getNativeCache()).isSameAs(shared.getNativeCache());
        strict.put("7", "seven");
        assertThat(value(strict.get("7"))).isEqualTo("seven");
        assertThat(strict.get("7", String.class)).isEqualTo("seven");
        assertThat(Objects.requireNonNull(strict.retrieve("7")).join()).isInstanceOf(Cache.ValueWrapper.class);
        assertThat(value(strict.putIfAbsent("7", "eight"))).isEqualTo("seven");
        strict.evict("7");
        assertThat(shared.get("7")).isNull();
        shared.put("7", "seven");
        strict.evictIfPresent("7");
        assertThat(shared.get("7")).isNull();
        shared.put("7", "seven");
        strict.clear();
        assertThat(shared.get("7")).isNull();
        shared.put("7", "seven");
        strict.invalidate();
        assertThat(shared.get("7")).isNull();
    }

    @Test
    void theManagerHasTheCachesOfTheOther() {
        SimpleCacheManager own = new SimpleCacheManager();
        own.setCaches(List.of(shared));
        own.initializeCaches();
        LockingCacheManager manager = new LockingCacheManager(own, locker);
        assertThat(manager.getCacheNames()).containsExactly("prices");
        assertThat(manager.getCache("unknown")).isNull();
        Cache locking = Objects.requireNonNull(manager.getCache("prices"));
        SimpleCacheManager outer = new SimpleCacheManager();
        outer.setCaches(List.of(locking));
        outer.initializeCaches();
        assertThat(new LockingCacheManager(outer, locker).getCache("prices")).isSameAs(locking);
        CacheManager growing = new LockingCacheManager(new ConcurrentMapCacheManager(), locker);
        Objects.requireNonNull(growing.getCache("prices")).put("7", "seven");
        growing.resetCaches();
        assertThat(Objects.requireNonNull(growing.getCache("prices")).get("7")).isNull();
    }

    @Test
    void theBeanInitializesTheOtherManager() {
        SimpleCacheManager own = new SimpleCacheManager();
        own.setCaches(List.of(shared));
        try (GenericApplicationContext context = new GenericApplicationContext()) {
            context.registerBean(LockingCacheManager.class, () -> new LockingCacheManager(own, locker));
            context.refresh();
            assertThat(context.getBean(LockingCacheManager.class).getCache("prices"))
                    .isNotNull();
        }
    }

    @Test
    void theOtherManagerLearnsThatAllSingletonsExist() {
        WaitingCacheManager own = new WaitingCacheManager();
        try (GenericApplicationContext context = new GenericApplicationContext()) {
            context.registerBean(LockingCacheManager.class, () -> new LockingCacheManager(own, locker));
            context.refresh();
            assertThat(context.getBean(LockingCacheManager.class).getCache("prices"))
                    .isNotNull();
        }
    }

    @Test
    void aManagerThatIsABeanItselfMayBeInitializedAgain() {
        try (GenericApplicationContext context = new GenericApplicationContext()) {
            SimpleCacheManager own = new SimpleCacheManager();
            own.setCaches(List.of(shared));
            context.registerBean("own", SimpleCacheManager.class, () -> own);
            context.registerBean(LockingCacheManager.class, () -> {
                CacheManager initialized = context.getBean("own", CacheManager.class);
                Objects.requireNonNull(initialized.getCache("prices")).put("7", "seven");
                return new LockingCacheManager(initialized, locker);
            });
            context.refresh();
            CacheManager manager = context.getBean(LockingCacheManager.class);
            assertThat(manager.getCacheNames()).containsExactly("prices");
            assertThat(value(Objects.requireNonNull(manager.getCache("prices")).get("7")))
                    .isEqualTo("seven");
        }
    }

    /** Has its caches when all singletons exist. */
    private static final class WaitingCacheManager extends ConcurrentMapCacheManager
            implements SmartInitializingSingleton {

        WaitingCacheManager() {
            super(new String[0]);
            setCacheNames(List.of());
        }

        @Override
        public void afterSingletonsInstantiated() {
            setCacheNames(List.of("prices"));
        }
    }

    /** Computes a value as Spring does for an annotated method. */
    private @Nullable String annotated(Cache in, Object key) {
        try {
            return in.get(key, this::compute);
        } catch (ValueRetrievalException ex) {
            throw ex.getCause() instanceof RuntimeException cause ? cause : ex;
        }
    }

    private CacheLocks fail() {
        return new CacheLocks(locker, OnFailure.FAIL, List.of());
    }

    private Cache cache(CacheLocks cacheLocks) {
        return cache(shared, cacheLocks);
    }

    private static Cache cache(Cache delegate, CacheLocks cacheLocks) {
        SimpleCacheManager own = new SimpleCacheManager();
        own.setCaches(List.of(delegate));
        own.initializeCaches();
        return Objects.requireNonNull(new LockingCacheManager(own, cacheLocks).getCache("prices"));
    }

    private @Nullable String lockOf(Cache in, Object key) {
        return in.get(key, () -> locks.held().get(0).key());
    }

    private static @Nullable Object value(Cache.@Nullable ValueWrapper wrapper) {
        return Objects.requireNonNull(wrapper).get();
    }

    private String compute() {
        computed.incrementAndGet();
        return "seven";
    }

    private @Nullable String computeNothing() {
        computed.incrementAndGet();
        return null;
    }

    private CompletableFuture<String> computeLater() {
        Supplier<String> value = this::compute;
        return CompletableFuture.completedFuture(value.get());
    }

    /** Keeps the values of another cache in this process. Blocking calls give that cache a loader of their own. */
    private static final class LocalCache extends ConcurrentMapCache {

        private final Cache remote;

        LocalCache(Cache remote) {
            super(remote.getName());
            this.remote = remote;
        }

        @Override
        public <T> @Nullable T get(Object key, Callable<T> loader) {
            return super.get(key, () -> remote.get(key, () -> loader.call()));
        }

        @Override
        public <T> CompletableFuture<T> retrieve(Object key, Supplier<CompletableFuture<T>> loader) {
            return super.retrieve(key, () -> remote.retrieve(key, loader));
        }
    }

    record Item(String number) {}

    /** Has equality and no text. */
    private static final class Sku {

        private final int number;

        Sku(int number) {
            this.number = number;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Sku sku && sku.number == number;
        }

        @Override
        public int hashCode() {
            return number;
        }
    }
}
