package io.leasehold.benchmarks.migration;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockHandle;
import io.leasehold.LockerRegistry;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.annotation.SingleInstance;
import io.leasehold.servers.database.PostgresServer;
import io.leasehold.servers.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Stream;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * The releases of docs/migrating.md: one with the former library, one with both locks, one with this library. Two
 * instances of consecutive releases exclude each other, and those of the first and the last do not.
 */
@Timeout(180)
@Tag("slow")
class BothLocksTests {

    private static final Executor THREADS = task -> new Thread(task).start();

    static final List<Arguments> CONSECUTIVE_SHIPPING = List.of(
            Arguments.of(FormerShipping.class, BothShipping.class),
            Arguments.of(BothShipping.class, BothShipping.class),
            Arguments.of(BothShipping.class, PresentShipping.class));

    static final List<Arguments> CONSECUTIVE_JOBS = List.of(
            Arguments.of(FormerJob.class, BothJob.class),
            Arguments.of(BothJob.class, FormerJob.class),
            Arguments.of(BothJob.class, BothJob.class),
            Arguments.of(BothJob.class, PresentJob.class),
            Arguments.of(PresentJob.class, BothJob.class),
            Arguments.of(BothJob.class, AdaptedJob.class),
            Arguments.of(AdaptedJob.class, BothJob.class));

    @BeforeEach
    void clear() {
        RedisServer.shared().command("FLUSHALL");
        JdbcTemplate database = new JdbcTemplate(database());
        database.execute(
                "CREATE TABLE IF NOT EXISTS shedlock (name VARCHAR(64) PRIMARY KEY, lock_until TIMESTAMP NOT NULL,"
                        + " locked_at TIMESTAMP NOT NULL, locked_by VARCHAR(255) NOT NULL)");
        database.execute("DELETE FROM shedlock");
    }

    @ParameterizedTest
    @FieldSource("CONSECUTIVE_SHIPPING")
    void instancesOfConsecutiveReleasesShipOneAfterTheOther(
            Class<? extends Shipping> release, Class<? extends Shipping> next) {
        try (Instance one = Instance.start(RedissonConfiguration.class, release);
                Instance two = Instance.start(RedissonConfiguration.class, next)) {
            Overlaps overlaps = new Overlaps();
            CompletableFuture<?>[] callers = Stream.of(one, one, two, two)
                    .map(instance -> instance.bean(Shipping.class))
                    .map(shipping -> CompletableFuture.runAsync(
                            () -> {
                                for (int i = 0; i < 50; i++) {
                                    shipping.ship("7", overlaps);
                                }
                            },
                            THREADS))
                    .toArray(CompletableFuture<?>[]::new);
            CompletableFuture.allOf(callers).orTimeout(120, SECONDS).join();
            assertThat(overlaps.runs()).isEqualTo(200);
            assertThat(overlaps.count()).isZero();
        }
    }

    @Test
    void theFirstAndTheLastReleaseShipAtTheSameTime() {
        try (Instance first = Instance.start(RedissonConfiguration.class, FormerShipping.class);
                Instance last = Instance.start(PresentShipping.class)) {
            CyclicBarrier bothInside = new CyclicBarrier(2);
            Runnable meet = () -> {
                try {
                    bothInside.await(60, SECONDS);
                } catch (Exception ex) {
                    throw new IllegalStateException(ex);
                }
            };
            CompletableFuture<Void> other =
                    CompletableFuture.runAsync(() -> first.bean(Shipping.class).ship("7", meet), THREADS);
            last.bean(Shipping.class).ship("7", meet);
            other.join();
        }
    }

    @ParameterizedTest
    @FieldSource("CONSECUTIVE_JOBS")
    void aJobThatRunsInOneReleaseIsSkippedInTheNextOne(Class<? extends Job> release, Class<? extends Job> next) {
        assertThat(runsBesideARunningJob(release, next)).isZero();
    }

    @Test
    void aJobThatTheFormerLockSkipsKeepsTheNewOneForItsMinimumHoldTime() {
        Optional<LockHandle> lock = besideARunningJob(FormerJob.class, BothJob.class, instance -> {
            instance.bean(Job.class).report();
            return instance.bean(LockerRegistry.class).get("jobs").tryLock("report");
        });
        assertThat(lock).isEmpty();
    }

    @Test
    void theFirstAndTheLastReleaseRunTheJobAtTheSameTime() {
        assertThat(runsBesideARunningJob(FormerJob.class, PresentJob.class)).isEqualTo(1);
    }

    private static int runsBesideARunningJob(Class<? extends Job> release, Class<? extends Job> next) {
        return besideARunningJob(release, next, instance -> {
            Job job = instance.bean(Job.class);
            job.end();
            job.report();
            return job.runs();
        });
    }

    private static <T> T besideARunningJob(
            Class<? extends Job> release, Class<? extends Job> next, Function<Instance, T> other) {
        try (Instance one = start(release);
                Instance two = start(next)) {
            Job running = one.bean(Job.class);
            CompletableFuture<Void> run = CompletableFuture.runAsync(running::report, THREADS);
            try {
                await().atMost(Duration.ofSeconds(30)).until(() -> running.runs() == 1);
                return other.apply(two);
            } finally {
                running.end();
                run.join();
            }
        }
    }

    private static Instance start(Class<? extends Job> release) {
        return release == AdaptedJob.class || release == PresentJob.class
                ? Instance.start(ShedLockConfiguration.class, release)
                : Instance.start(ShedLockConfiguration.class, FormerProvider.class, release);
    }

    private static DriverManagerDataSource database() {
        return new DriverManagerDataSource(PostgresServer.shared().url());
    }

    interface Shipping {

        void ship(String id, Runnable work);
    }

    static class FormerShipping implements Shipping {

        private final RedissonClient redisson;

        FormerShipping(RedissonClient redisson) {
            this.redisson = redisson;
        }

        @Override
        public void ship(String id, Runnable work) {
            RLock former = redisson.getLock("order:" + id);
            former.lock();
            try {
                work.run();
            } finally {
                former.unlock();
            }
        }
    }

    static class BothShipping implements Shipping {

        private final RedissonClient redisson;

        BothShipping(RedissonClient redisson) {
            this.redisson = redisson;
        }

        @Override
        @DistributedLock(locker = "orders", key = "#id", waitTime = "1m")
        public void ship(String id, Runnable work) {
            RLock former = redisson.getLock("order:" + id);
            former.lock();
            try {
                work.run();
            } finally {
                former.unlock();
            }
        }
    }

    static class PresentShipping implements Shipping {

        @Override
        @DistributedLock(locker = "orders", key = "#id", waitTime = "1m")
        public void ship(String id, Runnable work) {
            work.run();
        }
    }

    /** Counts how often a run began while another one had not ended. */
    private static final class Overlaps implements Runnable {

        private final AtomicInteger inside = new AtomicInteger();

        private final AtomicInteger overlaps = new AtomicInteger();

        private final AtomicInteger runs = new AtomicInteger();

        @Override
        public void run() {
            if (inside.incrementAndGet() > 1) {
                overlaps.incrementAndGet();
            }
            LockSupport.parkNanos(200_000);
            runs.incrementAndGet();
            inside.decrementAndGet();
        }

        int count() {
            return overlaps.get();
        }

        int runs() {
            return runs.get();
        }
    }

    abstract static class Job {

        private final AtomicInteger runs = new AtomicInteger();

        private final CompletableFuture<Void> end = new CompletableFuture<>();

        public abstract void report();

        void print() {
            runs.incrementAndGet();
            end.join();
        }

        // public: these are called through the proxy, which has no fields of its own
        public int runs() {
            return runs.get();
        }

        public void end() {
            end.complete(null);
        }
    }

    static class FormerJob extends Job {

        @Override
        @SchedulerLock(name = "report", lockAtMostFor = "30m", lockAtLeastFor = "1m")
        public void report() {
            print();
        }
    }

    static class BothJob extends Job {

        @Override
        @Scheduled(cron = "0 0 3 * * *")
        @SchedulerLock(name = "report", lockAtMostFor = "30m", lockAtLeastFor = "1m")
        @SingleInstance(locker = "jobs", key = "'report'", minHoldTime = "1m")
        public void report() {
            print();
        }
    }

    static class PresentJob extends Job {

        @Override
        @SingleInstance(locker = "jobs", key = "'report'", minHoldTime = "1m")
        public void report() {
            print();
        }
    }

    /** Keeps ShedLock's annotation; its locks come from the locker, by the property of the page. */
    static class AdaptedJob extends FormerJob {}

    @Configuration(proxyBeanMethods = false)
    @EnableSchedulerLock(defaultLockAtMostFor = "30m")
    static class ShedLockConfiguration {}

    @Configuration(proxyBeanMethods = false)
    static class FormerProvider {

        @Bean
        LockProvider lockProvider() {
            return new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                    .withJdbcTemplate(new JdbcTemplate(database()))
                    .usingDbTime()
                    .build());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class RedissonConfiguration {

        @Bean(destroyMethod = "shutdown")
        RedissonClient redisson() {
            RedisServer server = RedisServer.shared();
            Config config = new Config();
            config.useSingleServer()
                    .setAddress("redis://" + server.host() + ":" + server.port())
                    .setConnectionMinimumIdleSize(1);
            return Redisson.create(config);
        }
    }
}
