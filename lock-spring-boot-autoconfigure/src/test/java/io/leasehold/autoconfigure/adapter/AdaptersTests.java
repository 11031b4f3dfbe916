package io.leasehold.autoconfigure.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.Locker;
import io.leasehold.adapter.cache.CacheLocks;
import io.leasehold.adapter.cache.LockingCacheManager;
import io.leasehold.adapter.integration.LockerLockRegistry;
import io.leasehold.adapter.shedlock.LockerLockProvider;
import io.leasehold.annotation.LockKeyType;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.autoconfigure.StartFailures;
import io.leasehold.locker.LockKeyCustomizer;
import io.leasehold.test.TestLocks;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import net.javacrumbs.shedlock.core.LockAssert;
import net.javacrumbs.shedlock.core.LockExtender;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.cache.support.NoOpCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;

/** Adapters as an application gets them: by a property, unless it has a bean of its own. */
@ExtendWith(OutputCaptureExtension.class)
class AdaptersTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    LockAutoConfiguration.class,
                    LockCacheAutoConfiguration.class,
                    LockShedLockAutoConfiguration.class,
                    LockIntegrationAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory", "lock.lockers.jobs.ttl=20s");

    @Test
    void withoutAPropertyThereIsNoAdapter() {
        runner.run(context -> assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(LockProvider.class)
                .doesNotHaveBean(LockRegistry.class));
    }

    @Test
    void withoutTheLibrariesThereIsNoAdapter(CapturedOutput output) {
        runner.withPropertyValues("lock.shedlock.locker=jobs", "lock.integration.locker=jobs")
                .withClassLoader(new FilteredClassLoader("net.javacrumbs", "org.springframework.integration"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean("leaseholdLockProvider")
                        .doesNotHaveBean("leaseholdLockRegistry"));
        assertThat(output)
                .contains(
                        "'lock.shedlock.locker' (set in \"lock.shedlock.locker\" from property source \"test\") has no"
                                + " effect, because the class net.javacrumbs.shedlock.core.LockProvider is not on the class path")
                .contains("'lock.integration.locker' (set in");
    }

    @Test
    void aPropertyDefinesThem() {
        runner.withPropertyValues("lock.shedlock.locker=jobs", "lock.integration.locker=jobs")
                .run(context -> assertThat(context)
                        .hasSingleBean(LockerLockProvider.class)
                        .hasSingleBean(LockerLockRegistry.class));
    }

    @Test
    void theBeansOfTheApplicationWin(CapturedOutput output) {
        LockProvider provider = configuration -> Optional.empty();
        LockRegistry<?> registry = new DefaultLockRegistry();
        runner.withPropertyValues("lock.shedlock.locker=jobs", "lock.integration.locker=jobs")
                .withBean("own", LockProvider.class, () -> provider)
                .withBean("ownRegistry", LockRegistry.class, () -> registry)
                .run(context -> {
                    assertThat(context.getBean(LockProvider.class)).isSameAs(provider);
                    assertThat(context.getBean(LockRegistry.class)).isSameAs(registry);
                });
        assertThat(output)
                .containsOnlyOnce(
                        "'lock.shedlock.locker' (set in \"lock.shedlock.locker\" from property source \"test\") has no effect, because the application defines the bean"
                                + " 'own'. Remove that bean or the property")
                .containsOnlyOnce(
                        "'lock.integration.locker' (set in \"lock.integration.locker\" from property source \"test\") has no effect, because the application defines the"
                                + " bean 'ownRegistry'. Remove that bean or the property");
    }

    @ParameterizedTest
    @ValueSource(strings = {"lock.shedlock.locker", "lock.integration.locker", "lock.cache.locker"})
    void aLockerThatDoesNotExistIsNamedWithTheNearestOne(String property) {
        FailureAnalysis analysis = StartFailures.of(runner.withPropertyValues(property + "=job"));
        assertThat(analysis.getDescription()).contains(property, "'job'", "jobs");
        assertThat(analysis.getAction()).contains("Did you mean 'jobs'?");
    }

    @ParameterizedTest
    @ValueSource(strings = {"lock.shedlock.locker", "lock.integration.locker", "lock.cache.locker"})
    void anEmptyNameIsRefused(String property) {
        FailureAnalysis analysis = StartFailures.of(runner.withPropertyValues(property + "="));
        assertThat(analysis.getDescription()).contains(property);
        assertThat(analysis.getAction()).contains("jobs");
    }

    @Test
    void cachesAreWrappedIfAPropertySaysSo() {
        ApplicationContextRunner caches = runner.withBean("caches", CacheManager.class, ConcurrentMapCacheManager::new);
        caches.run(context -> assertThat(context.getBean("caches")).isInstanceOf(ConcurrentMapCacheManager.class));
        caches.withPropertyValues("lock.cache.locker=jobs").run(context -> {
            assertThat(context.getBean("caches")).isInstanceOf(LockingCacheManager.class);
            Cache prices = Objects.requireNonNull(
                    context.getBean("caches", CacheManager.class).getCache("prices"));
            assertThat(prices.get(
                            "7",
                            () -> LockContext.find("jobs", "prices:7")
                                    .orElseThrow()
                                    .key()))
                    .isEqualTo("prices:7");
        });
    }

    @Test
    void aCacheManagerThatIsCreatedTooEarlyIsWarnedOf(CapturedOutput output) {
        runner.withUserConfiguration(EarlyCaches.class)
                .withBean("later", CacheManager.class, ConcurrentMapCacheManager::new)
                .withPropertyValues("lock.cache.locker=jobs")
                .run(context -> {
                    assertThat(context.getBean("early")).isInstanceOf(ConcurrentMapCacheManager.class);
                    assertThat(context.getBean("later")).isInstanceOf(LockingCacheManager.class);
                });
        assertThat(output)
                .containsOnlyOnce(
                        "'lock.cache.locker' (set in \"lock.cache.locker\" from property source \"test\") has no effect on"
                                + " the cache manager 'early'")
                .doesNotContain("cache manager 'later'");
    }

    @Test
    void aLockerOfCachesWithoutACacheManagerIsWarnedOf(CapturedOutput output) {
        runner.withPropertyValues("lock.cache.locker=jobs")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .containsOnlyOnce("'lock.cache.locker' (set in \"lock.cache.locker\" from property source \"test\") has"
                        + " no effect, because there is no bean of type CacheManager");
    }

    @Test
    void aCacheManagerOfAParentIsWarnedOf(CapturedOutput output) {
        new ApplicationContextRunner()
                .withBean("caches", CacheManager.class, ConcurrentMapCacheManager::new)
                .withBean("hidden", CacheManager.class, ConcurrentMapCacheManager::new)
                .run(parent -> runner.withParent(parent)
                        .withBean("hidden", CacheManager.class, ConcurrentMapCacheManager::new)
                        .withPropertyValues("lock.cache.locker=jobs")
                        .run(context -> {
                            assertThat(context.getBean("caches")).isInstanceOf(ConcurrentMapCacheManager.class);
                            assertThat(context.getBean("hidden")).isInstanceOf(LockingCacheManager.class);
                        }));
        assertThat(output)
                .containsOnlyOnce(
                        "'lock.cache.locker' (set in \"lock.cache.locker\" from property source \"test\") has no effect on"
                                + " the cache manager 'caches', whose values are computed without a lock. It is a bean"
                                + " of a parent")
                .doesNotContain("cache manager 'hidden'");
    }

    @Test
    void aLockingCacheManagerOfAParentDoesNotReplaceTheLocksOfItsChildren() {
        try (TestLocks locks = TestLocks.create()) {
            new ApplicationContextRunner()
                    .withBean(
                            "caches",
                            LockingCacheManager.class,
                            () -> new LockingCacheManager(new ConcurrentMapCacheManager(), locks.locker("parent")))
                    .run(parent -> runner.withParent(parent)
                            .withBean("own", CacheManager.class, ConcurrentMapCacheManager::new)
                            .withPropertyValues("lock.cache.locker=jobs")
                            .run(context ->
                                    assertThat(context.getBean("own")).isInstanceOf(LockingCacheManager.class)));
        }
    }

    @Test
    void aCacheManagerThatItsParentWrapsIsNotWarnedOf(CapturedOutput output) {
        runner.withBean("caches", CacheManager.class, ConcurrentMapCacheManager::new)
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .withPropertyValues("lock.cache.locker=jobs")
                .run(parent -> runner.withParent(parent)
                        .withPropertyValues("lock.cache.locker=jobs")
                        .run(context -> assertThat(context.getBean("caches")).isInstanceOf(LockingCacheManager.class)));
        assertThat(output).doesNotContain("has no effect on");
    }

    @Test
    void aCacheThatHasNoLockFailsAsConfigured() {
        runner.withBean("caches", CacheManager.class, ConcurrentMapCacheManager::new)
                .withPropertyValues(
                        "lock.cache.locker=jobs", "lock.cache.on-failure=fail", "lock.lockers.jobs.wait-time=0s")
                .run(context -> {
                    Cache prices = Objects.requireNonNull(
                            context.getBean(CacheManager.class).getCache("prices"));
                    try (LockHandle elsewhere =
                            context.getBean("jobsLocker", Locker.class).lock("prices:7")) {
                        assertThatExceptionOfType(Cache.ValueRetrievalException.class)
                                .isThrownBy(() -> prices.get("7", () -> "seven"))
                                .withCauseInstanceOf(LockNotAcquiredException.class);
                        assertThat(elsewhere.isHeld()).isTrue();
                    }
                });
    }

    @Test
    void keysOfCachesAreConvertedByBeans() {
        runner.withBean("caches", CacheManager.class, ConcurrentMapCacheManager::new)
                .withBean(LockKeyType.class, () -> new LockKeyType<>(UUID.class, id -> "id-" + id.version()))
                .withPropertyValues("lock.cache.locker=jobs")
                .run(context -> {
                    Cache prices = Objects.requireNonNull(
                            context.getBean(CacheManager.class).getCache("prices"));
                    assertThat(prices.get(
                                    UUID.randomUUID(),
                                    () -> LockContext.current().orElseThrow().key()))
                            .isEqualTo("prices:id-4");
                });
    }

    @Test
    void aComputationUnderACustomizedKeyDoesNotWaitForItself() {
        runner.withBean("caches", CacheManager.class, NoOpCacheManager::new)
                .withBean(LockKeyCustomizer.class, () -> (locker, key) -> "tenant-" + key)
                .withPropertyValues(
                        "lock.cache.locker=jobs", "lock.cache.on-failure=fail", "lock.lockers.jobs.wait-time=0s")
                .run(context -> {
                    Cache prices = Objects.requireNonNull(
                            context.getBean(CacheManager.class).getCache("prices"));
                    assertThat(prices.get(
                                    "7",
                                    () -> prices.get(
                                            "7",
                                            () -> LockContext.current()
                                                    .orElseThrow()
                                                    .key())))
                            .isEqualTo("tenant-prices:7");
                });
    }

    @Test
    void aPropertyThatHasAnEffectIsNotWarnedOf(CapturedOutput output) {
        runner.withBean("caches", CacheManager.class, ConcurrentMapCacheManager::new)
                .withPropertyValues(
                        "lock.shedlock.locker=jobs", "lock.integration.locker=jobs", "lock.cache.locker=jobs")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).doesNotContain("has no effect");
    }

    @Test
    void theLockingCacheManagerOfTheApplicationWins(CapturedOutput output) {
        try (TestLocks locks = TestLocks.create()) {
            runner.withBean("other", CacheManager.class, ConcurrentMapCacheManager::new)
                    .withBean(
                            "own",
                            LockingCacheManager.class,
                            () -> new LockingCacheManager(new ConcurrentMapCacheManager(), locks.locker("own")))
                    .withPropertyValues("lock.cache.locker=jobs", "lock.cache.on-failure=fail")
                    .run(context -> {
                        assertThat(context).doesNotHaveBean(CacheLocks.class);
                        assertThat(context.getBean("other")).isInstanceOf(ConcurrentMapCacheManager.class);
                    });
        }
        assertThat(output)
                .containsOnlyOnce(
                        "'lock.cache.locker' (set in \"lock.cache.locker\" from property source \"test\") has no effect, because the application defines the bean"
                                + " 'own'. Remove that bean or the property")
                .containsOnlyOnce(
                        "'lock.cache.on-failure' (set in \"lock.cache.on-failure\" from property source \"test\")"
                                + " has no effect, because the application defines the bean 'own'. Remove that bean or the property");
    }

    @Test
    void theCacheLocksOfTheApplicationWin(CapturedOutput output) {
        try (TestLocks locks = TestLocks.create()) {
            runner.withBean("caches", CacheManager.class, ConcurrentMapCacheManager::new)
                    .withBean("own", CacheLocks.class, () -> new CacheLocks(locks.locker("other")))
                    .withPropertyValues("lock.cache.locker=jobs", "lock.cache.on-failure=fail")
                    .run(context -> {
                        Cache prices = Objects.requireNonNull(
                                context.getBean("caches", CacheManager.class).getCache("prices"));
                        assertThat(prices.get(
                                        "7",
                                        () -> LockContext.find("other", "prices:7")
                                                .orElseThrow()
                                                .key()))
                                .isEqualTo("prices:7");
                    });
        }
        assertThat(output)
                .containsOnlyOnce("'lock.cache.locker' (set in \"lock.cache.locker\" from property source \"test\")"
                        + " wraps the cache managers, but its locker is not used, because the application defines the bean"
                        + " 'own' of type CacheLocks. Remove that bean, or define a bean of type LockingCacheManager with it"
                        + " and remove the property")
                .containsOnlyOnce(
                        "'lock.cache.on-failure' (set in \"lock.cache.on-failure\" from property source \"test\") has no effect, because the application defines the bean"
                                + " 'own'. Remove that bean or the property");
    }

    @Test
    void annotatedJobsRunUnderTheLock() {
        runner.withPropertyValues("lock.shedlock.locker=jobs")
                .withUserConfiguration(Scheduling.class)
                .withBean(Job.class)
                .run(context -> {
                    Job job = context.getBean(Job.class);
                    job.run();
                    assertThat(job.runs()).isEqualTo(1);
                    try (LockHandle elsewhere =
                            context.getBean("jobsLocker", Locker.class).lock("report")) {
                        job.run();
                        assertThat(elsewhere.isHeld()).isTrue();
                    }
                    assertThat(job.runs()).isEqualTo(1);
                    assertThatIllegalStateException().isThrownBy(LockAssert::assertLocked);
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class EarlyCaches {

        @Bean
        static CacheManager early() {
            return new ConcurrentMapCacheManager();
        }

        /** A post-processor that needs a cache, as one for access checks does. */
        @Bean
        static BeanPostProcessor checks(@Qualifier("early") CacheManager caches) {
            assertThat(caches).isNotNull();
            return new BeanPostProcessor() {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableSchedulerLock(defaultLockAtMostFor = "PT12H")
    static class Scheduling {}

    static class Job {

        private final AtomicInteger runs = new AtomicInteger();

        @SchedulerLock(name = "report", lockAtMostFor = "PT1H")
        public void run() {
            LockAssert.assertLocked();
            LockExtender.extendActiveLock(Duration.ofHours(2), Duration.ZERO);
            runs.incrementAndGet();
        }

        // through the proxy: its own field is not set
        public int runs() {
            return runs.get();
        }
    }
}
