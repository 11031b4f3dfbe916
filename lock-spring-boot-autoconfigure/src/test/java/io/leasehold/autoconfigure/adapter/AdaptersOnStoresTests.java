package io.leasehold.autoconfigure.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.autoconfigure.LockAutoConfiguration;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import net.javacrumbs.shedlock.core.LockAssert;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.LockRegistry;

/** Two applications with the adapters, on real servers. */
@Timeout(120)
class AdaptersOnStoresTests {

    private static final Duration SOON = Duration.ofSeconds(30);

    private static final Duration TWELVE_HOURS = Duration.ofHours(12);

    static Stream<Named<ApplicationContextRunner>> stores() {
        return AdapterStores.all().map(store -> Named.of(store.getName(), runner(store.getPayload())));
    }

    private static ApplicationContextRunner runner(String... store) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataRedisAutoConfiguration.class,
                        DataSourceAutoConfiguration.class,
                        LockAutoConfiguration.class,
                        LockIntegrationAutoConfiguration.class,
                        LockShedLockAutoConfiguration.class))
                .withUserConfiguration(Scheduling.class)
                .withBean(Job.class)
                .withPropertyValues(
                        "lock.namespace=" + UUID.randomUUID(),
                        "lock.lockers.jobs.ttl=30s",
                        "lock.lockers.integration.wait-time=30s",
                        "lock.shedlock.locker=jobs",
                        "lock.integration.locker=integration")
                .withPropertyValues(store);
    }

    @ParameterizedTest
    @MethodSource("stores")
    void aJobThatRunsInOneInstanceIsSkippedInTheOther(ApplicationContextRunner instance) {
        instance.run(one -> instance.run(two -> {
            Job first = one.getBean(Job.class);
            Job second = two.getBean(Job.class);
            CompletableFuture<Void> end = new CompletableFuture<>();
            CompletableFuture<Void> run = CompletableFuture.runAsync(() -> first.run(end));
            await().atMost(SOON).until(() -> first.runs() == 1);
            second.run(end);
            assertThat(second.runs()).isZero();
            end.complete(null);
            run.get(SOON.toSeconds(), TimeUnit.SECONDS);
            second.run(end);
            assertThat(second.runs()).isEqualTo(1);
        }));
    }

    @ParameterizedTest
    @MethodSource("stores")
    void lockAtLeastForKeepsAJobFromTheOtherInstance(ApplicationContextRunner instance) {
        instance.run(one -> instance.run(two -> {
            LockProvider first = one.getBean(LockProvider.class);
            LockProvider second = two.getBean(LockProvider.class);
            first.lock(configuration("kept", Duration.ofMinutes(10)))
                    .orElseThrow()
                    .unlock();
            assertThat(second.lock(configuration("kept", Duration.ZERO))).isEmpty();
            SimpleLock extended = first.lock(configuration("extended", Duration.ZERO))
                    .orElseThrow()
                    .extend(TWELVE_HOURS, Duration.ZERO)
                    .orElseThrow();
            assertThat(second.lock(configuration("extended", Duration.ZERO))).isEmpty();
            extended.unlock();
            assertThat(second.lock(configuration("extended", Duration.ZERO))).isPresent();
        }));
    }

    @ParameterizedTest
    @MethodSource("stores")
    void aRegistryExcludesThatOfTheOtherInstance(ApplicationContextRunner instance) {
        instance.run(one -> instance.run(two -> {
            DistributedLock first =
                    (DistributedLock) one.getBean(LockRegistry.class).obtain("key");
            DistributedLock second =
                    (DistributedLock) two.getBean(LockRegistry.class).obtain("key");
            first.lock(Duration.ofMinutes(5));
            first.lock();
            assertThat(second.tryLock()).isFalse();
            CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(() -> {
                second.lock();
                second.unlock();
                return true;
            });
            first.unlock();
            assertThat(second.tryLock()).isFalse();
            first.unlock();
            assertThat(waiting.get(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }));
    }

    private static LockConfiguration configuration(String name, Duration atLeast) {
        return new LockConfiguration(Instant.now(), name, TWELVE_HOURS, atLeast);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableSchedulerLock(defaultLockAtMostFor = "PT12H")
    static class Scheduling {}

    static class Job {

        private final AtomicInteger runs = new AtomicInteger();

        @SchedulerLock(name = "report", lockAtMostFor = "PT12H")
        public void run(CompletableFuture<Void> end) {
            LockAssert.assertLocked();
            runs.incrementAndGet();
            end.join();
        }

        // through the proxy: its own field is not set
        public int runs() {
            return runs.get();
        }
    }
}
