package io.leasehold.adapter.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.adapter.cache.CacheLocks.OnFailure;
import io.leasehold.aop.invocation.CallerContext;
import io.leasehold.engine.LockerSettings;
import io.leasehold.test.Disturbance;
import io.leasehold.test.TestLocks;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.MDC;
import org.springframework.cache.Cache;
import org.springframework.cache.support.SimpleCacheManager;
import org.springframework.core.task.TaskDecorator;

/** A thread of the library answers an asynchronous caller that waited; the application's code runs elsewhere. */
class AsynchronousLoaderTests {

    private static final String LOCKED = "prices:7";

    private static final String TENANT = "tenant";

    @RegisterExtension
    final TestLocks locks = TestLocks.create();

    private final Locker locker = locks.locker(settings());

    private final ExecutorService threads = Executors.newCachedThreadPool(task -> new Thread(task, "application"));

    @AfterEach
    void endThreads() {
        MDC.clear();
        threads.shutdownNow();
    }

    @Test
    void theLoaderRunsOnTheExecutorInTheContextOfItsCaller() {
        MDC.put(TENANT, "acme");
        String loadedBy = afterTheWait(
                cache(task -> task),
                result -> result,
                () -> Thread.currentThread().getName() + MDC.get(TENANT));
        assertThat(loadedBy).isEqualTo("applicationacme");
    }

    @Test
    void theContinuationOfTheCallerRunsOnTheExecutor() {
        String continuedBy = afterTheWait(
                cache(task -> task),
                result -> result.thenApply(value -> Thread.currentThread().getName()),
                () -> "seven");
        assertThat(continuedBy).isEqualTo("application");
    }

    @Test
    void theContinuationAfterAFailureRunsOnTheExecutor() {
        Cache cache = cache(task -> task);
        locks.holdElsewhere(LOCKED);
        CompletableFuture<String> continuedBy = cache.retrieve("7", AsynchronousLoaderTests::mustNotRun)
                .handle((value, failure) -> Thread.currentThread().getName());
        locks.advance(Duration.ofMinutes(2));
        assertThat(continuedBy).succeedsWithin(Duration.ofSeconds(20)).isEqualTo("application");
    }

    @Test
    void anExecutorThatTakesNoTaskDoesNotPreventTheValue() {
        threads.shutdown();
        String value = afterTheWait(cache(task -> task), result -> result, () -> "seven");
        assertThat(value).isEqualTo("seven");
    }

    @Test
    void aContextThatCannotBeAppliedFailsTheCallAndLeavesTheLockFree() {
        Locker held = locks.locker(settings().withMinHoldTime(Duration.ofMinutes(5)));
        Cache cache = cache(held, task -> () -> {
            throw new IllegalStateException("no context");
        });
        Disturbance elsewhere = locks.holdElsewhere(LOCKED);
        CompletableFuture<String> value = cache.retrieve("7", AsynchronousLoaderTests::mustNotRun);
        elsewhere.close();
        locks.advance(Duration.ofSeconds(30));
        assertThat(value)
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableThat()
                .havingRootCause()
                .withMessage("no context");
        assertThat(held.lock(LOCKED).release()).isTrue();
    }

    private static LockerSettings settings() {
        return LockerSettings.of("caches").withWaitTime(Duration.ofMinutes(1));
    }

    private <T> T afterTheWait(
            Cache cache,
            Function<CompletableFuture<String>, CompletableFuture<T>> continuation,
            Supplier<String> loader) {
        LockHandle other = locker.lock(LOCKED);
        CompletableFuture<T> result =
                continuation.apply(cache.retrieve("7", () -> CompletableFuture.completedFuture(loader.get())));
        assertThat(result).isNotDone();
        other.release();
        return result.orTimeout(20, TimeUnit.SECONDS).join();
    }

    private static CompletableFuture<String> mustNotRun() {
        throw new AssertionError("computed without the lock");
    }

    private Cache cache(TaskDecorator decorator) {
        return cache(locker, decorator);
    }

    private Cache cache(Locker grants, TaskDecorator decorator) {
        SimpleCacheManager own = new SimpleCacheManager();
        own.setCaches(List.of(new SharedCache()));
        own.initializeCaches();
        CacheLocks cacheLocks =
                new CacheLocks(grants, OnFailure.FAIL, List.of(), new CallerContext(() -> threads, decorator));
        return Objects.requireNonNull(new LockingCacheManager(own, cacheLocks).getCache("prices"));
    }
}
