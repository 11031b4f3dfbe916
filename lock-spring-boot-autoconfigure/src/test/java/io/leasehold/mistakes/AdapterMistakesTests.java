package io.leasehold.mistakes;

import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.autoconfigure.StartFailures;
import io.leasehold.autoconfigure.adapter.LockCacheAutoConfiguration;
import io.leasehold.autoconfigure.adapter.LockIntegrationAutoConfiguration;
import io.leasehold.autoconfigure.adapter.LockShedLockAutoConfiguration;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.CacheManager;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.support.locks.LockRegistry;

/** ShedLock, Spring Integration and caches over lockers. */
class AdapterMistakesTests extends MistakesPage {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    LockAutoConfiguration.class,
                    LockCacheAutoConfiguration.class,
                    LockIntegrationAutoConfiguration.class,
                    LockShedLockAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory", "lock.lockers.jobs.ttl=30s");

    @Test
    void misspeltLockerOfAnAdapter() {
        assertOnPage(StartFailures.of(runner.withPropertyValues("lock.shedlock.locker=job")));
    }

    @Test
    void noLockerForAnAdapter() {
        assertOnPage(StartFailures.of(runner.withPropertyValues("lock.integration.locker=")));
    }

    @Test
    void misspeltSettingOfAnAdapter() {
        assertOnPage(
                StartFailures.of(runner.withPropertyValues("lock.cache.locker=jobs", "lock.cache.on-failure=compte")));
    }

    @Test
    void beanWithTheNameOfAnAdapter() {
        assertOnPage(StartFailures.of(
                runner.withUserConfiguration(SameName.class).withPropertyValues("lock.shedlock.locker=jobs")));
    }

    @Test
    void lockAtLeastForLongerThanLockAtMostFor() {
        runner.withUserConfiguration(Scheduling.class)
                .withBean(Job.class)
                .withPropertyValues("lock.shedlock.locker=jobs")
                .run(context -> assertOnPage(Assertions.catchThrowable(
                        () -> context.getBean(Job.class).run())));
    }

    @Test
    void lockAtMostForShorterThanThreeCommandTimeouts() {
        runner.withPropertyValues("lock.shedlock.locker=jobs", "lock.defaults.command-timeout=5s")
                .run(context -> assertOnPage(Assertions.catchThrowable(() -> lock(context, Duration.ofSeconds(14)))));
    }

    @Test
    void lockAtMostForOfZero() {
        runner.withPropertyValues("lock.shedlock.locker=jobs")
                .run(context -> assertOnPage(Assertions.catchThrowable(() -> lock(context, Duration.ZERO))));
    }

    private static void lock(ApplicationContext context, Duration atMost) {
        context.getBean(LockProvider.class).lock(new LockConfiguration(Instant.EPOCH, "report", atMost, Duration.ZERO));
    }

    @Test
    void keyThatIsNoText() {
        runner.withPropertyValues("lock.integration.locker=jobs")
                .run(context -> assertOnPage(Assertions.catchThrowable(
                        () -> context.getBean(LockRegistry.class).obtain(new UUID(0, 7)))));
    }

    @Test
    void unlockOnAnotherThread() {
        runner.withPropertyValues("lock.integration.locker=jobs").run(context -> {
            LockRegistry<?> registry = context.getBean(LockRegistry.class);
            registry.obtain("service-a").lock();
            CompletableFuture<Throwable> failure = new CompletableFuture<>();
            new Thread(
                            () -> failure.complete(Assertions.catchThrowable(
                                    () -> registry.obtain("service-a").unlock())),
                            "other")
                    .start();
            assertOnPage(failure.join());
            registry.obtain("service-a").unlock();
        });
    }

    @Test
    void cacheKeyWithoutText() {
        runner.withBean(CacheManager.class, ConcurrentMapCacheManager::new)
                .withPropertyValues("lock.cache.locker=jobs")
                .run(context -> assertOnPage(Objects.requireNonNull(Assertions.catchThrowable(
                                () -> Objects.requireNonNull(context.getBean(CacheManager.class)
                                                .getCache("prices"))
                                        .get(new Object(), () -> "12 EUR"))
                        .getCause())));
    }

    @Test
    void cacheKeyOfBytes() {
        runner.withBean(CacheManager.class, ConcurrentMapCacheManager::new)
                .withPropertyValues("lock.cache.locker=jobs")
                .run(context -> assertOnPage(Objects.requireNonNull(Assertions.catchThrowable(
                                () -> Objects.requireNonNull(context.getBean(CacheManager.class)
                                                .getCache("prices"))
                                        .get(new byte[1], () -> "12 EUR"))
                        .getCause())));
    }

    @Test
    void cacheManagerByItsClass() {
        assertOnPage(StartFailures.of(runner.withBean("cacheManager", ConcurrentMapCacheManager.class)
                .withBean(Evictions.class)
                .withPropertyValues("lock.cache.locker=jobs")));
    }

    record Evictions(ConcurrentMapCacheManager cacheManager) {}

    @Configuration(proxyBeanMethods = false)
    static class SameName {

        @Bean
        String leaseholdLockProvider() {
            return "another";
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableSchedulerLock(defaultLockAtMostFor = "PT12H")
    static class Scheduling {}

    static class Job {

        @SchedulerLock(name = "report", lockAtMostFor = "PT1M", lockAtLeastFor = "PT5M")
        public void run() {}
    }
}
