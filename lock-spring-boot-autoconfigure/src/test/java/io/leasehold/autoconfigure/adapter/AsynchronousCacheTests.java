package io.leasehold.autoconfigure.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockHandle;
import io.leasehold.LockerRegistry;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.core.task.TaskDecorator;

class AsynchronousCacheTests {

    /** As a task of an {@code @Async} method does, which calls a method with a cached future and joins it. */
    @Test
    void theOnlyThreadOfTheApplicationMayWaitForAValue() {
        ExecutorService only = Executors.newSingleThreadExecutor();
        AtomicInteger decorated = new AtomicInteger();
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LockCacheAutoConfiguration.class))
                .withPropertyValues("lock.backend=memory", "lock.lockers.caches.ttl=20s", "lock.cache.locker=caches")
                .withBean("caches", CacheManager.class, ConcurrentMapCacheManager::new)
                .withBean("applicationTaskExecutor", ExecutorService.class, () -> only)
                .withBean(TaskDecorator.class, () -> task -> {
                    decorated.incrementAndGet();
                    return task;
                })
                .run(context -> {
                    Cache prices = Objects.requireNonNull(
                            context.getBean(CacheManager.class).getCache("prices"));
                    LockerRegistry lockers = context.getBean(LockerRegistry.class);
                    LockHandle other = lockers.get("caches").lock("prices:7");
                    Future<String> price =
                            only.submit(() -> prices.retrieve("7", () -> CompletableFuture.completedFuture("seven"))
                                    .join());
                    await().until(() -> lockers.status("caches").waiting() == 1);
                    other.release();
                    assertThat(price).succeedsWithin(Duration.ofSeconds(30)).isEqualTo("seven");
                    assertThat(decorated).hasValue(1);
                });
    }
}
