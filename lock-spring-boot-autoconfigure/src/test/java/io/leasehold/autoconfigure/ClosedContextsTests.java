package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.Locker;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.servers.redis.RedisServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import reactor.core.publisher.Mono;

/** Nothing that outlives an application context refers to it once it is closed. */
@Timeout(180)
class ClosedContextsTests {

    private static final int CONTEXTS = 5;

    /** Outlives the contexts, as the global registry of an application server does. */
    private final MeterRegistry meters = new SimpleMeterRegistry();

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class,
                    TaskExecutionAutoConfiguration.class,
                    DataRedisAutoConfiguration.class,
                    LockAutoConfiguration.class,
                    LockDisabledAutoConfiguration.class,
                    LockAspectAutoConfiguration.class,
                    LockMetricsAutoConfiguration.class,
                    LockHealthContributorAutoConfiguration.class,
                    LocksEndpointAutoConfiguration.class))
            .withBean(MeterRegistry.class, () -> meters, definition -> definition.setDestroyMethodName(null))
            .withBean(Work.class);

    @Test
    void contextsWithLocksInMemoryAreCollected() {
        areCollected(runner.withPropertyValues("lock.backend=memory"));
    }

    @Test
    void contextsWithLocksInRedisAreCollected() {
        try (RedisServer redis = RedisServer.startDurable()) {
            areCollected(runner.withPropertyValues(
                    "spring.data.redis.host=127.0.0.1",
                    "spring.data.redis.port=" + redis.port(),
                    "lock.shutdown.timeout=0s"));
        }
    }

    private static void areCollected(ApplicationContextRunner runner) {
        List<WeakReference<ApplicationContext>> closed = new ArrayList<>();
        for (int i = 0; i < CONTEXTS; i++) {
            String key = "key-" + i;
            runner.run(context -> {
                use(context.getBean(Work.class), context.getBean(Locker.class), key);
                closed.add(new WeakReference<>(context.getSourceApplicationContext()));
            });
        }
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            System.gc();
            assertThat(closed).hasSize(CONTEXTS).allMatch(context -> context.get() == null);
        });
    }

    /** Locks in each way; the last lock is still held when the context is closed. */
    private static void use(Work work, Locker locker, String key) throws Exception {
        assertThat(work.run(key)).isEqualTo(key);
        assertThat(work.stage(key).get()).isEqualTo(key);
        assertThat(work.mono(key).block()).isEqualTo(key);
        locker.executeLocked(key, () -> key);
        locker.lock("held");
        assertThat(locker.tryLock("held")).isEmpty();
    }

    public static class Work {

        @DistributedLock("#key")
        public String run(String key) {
            return key;
        }

        @DistributedLock("#key")
        public CompletableFuture<String> stage(String key) {
            return CompletableFuture.completedFuture(key);
        }

        @DistributedLock("#key")
        public Mono<String> mono(String key) {
            return Mono.just(key);
        }
    }
}
