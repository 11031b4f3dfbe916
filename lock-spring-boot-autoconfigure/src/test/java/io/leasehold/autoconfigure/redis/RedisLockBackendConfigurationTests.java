package io.leasehold.autoconfigure.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.LossReason;
import io.leasehold.actuate.LockHealthIndicator;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.autoconfigure.LockHealthContributorAutoConfiguration;
import io.leasehold.autoconfigure.StartFailures;
import io.leasehold.redis.RedisLockBackend;
import io.leasehold.redis.fastpath.RedisFastPath;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.LockBackend;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Lockers in a real Redis. */
@ExtendWith(OutputCaptureExtension.class)
class RedisLockBackendConfigurationTests {

    private static RedisServer durable;

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataRedisAutoConfiguration.class,
                    LockAutoConfiguration.class,
                    LockHealthContributorAutoConfiguration.class))
            .withPropertyValues("lock.lockers.deploy.ttl=10s", "lock.lockers.deploy.command-timeout=500ms");

    @BeforeAll
    static void start() {
        durable = RedisServer.startDurable();
    }

    @AfterAll
    static void stop() {
        durable.close();
    }

    @Test
    void redisIsChosenIfThereIsAConnectionFactory(CapturedOutput output) {
        runner.withPropertyValues(at(durable)).run(context -> {
            assertThat(context.getBean(LockerRegistry.class).status("deploy").backend())
                    .isEqualTo("redis");
            try (LockHandle handle =
                    context.getBean("deployLocker", Locker.class).lock("service-a")) {
                assertThat(handle.isHeld()).isTrue();
                assertThat(durable.command("EXISTS", "deploy:service-a")).isEqualTo(1L);
            }
            assertThat(durable.command("EXISTS", "deploy:service-a")).isEqualTo(0L);
        });
        assertThat(output).doesNotContain("WARN").doesNotContain("ERROR");
    }

    @Test
    void aLockThatIsHeldAtShutdownIsFreeAfterwards(CapturedOutput output) {
        CompletableFuture<LossReason> told = new CompletableFuture<>();
        runner.withPropertyValues(at(durable))
                .withPropertyValues("lock.shutdown.timeout=50ms")
                .run(context -> context.getBean("deployLocker", Locker.class)
                        .lock("held")
                        .onLost(told::complete));

        assertThat(durable.command("EXISTS", "deploy:held")).isEqualTo(0L);
        assertThat(told).succeedsWithin(Duration.ofSeconds(1)).isEqualTo(LossReason.SHUTDOWN);
        assertThat(output).contains("Raise 'lock.shutdown.timeout'").doesNotContain("ERROR");
    }

    @Test
    void aRedisThatIsDownDoesNotKeepTheApplicationFromStarting(CapturedOutput output) {
        try (RedisServer server = RedisServer.start()) {
            server.stop();
            runner.withPropertyValues(at(server)).run(context -> {
                assertThat(context).hasNotFailed();
                Locker deploy = context.getBean("deployLocker", Locker.class);
                assertThatThrownBy(() -> deploy.tryLock("key")).isInstanceOf(LockBackendException.class);
                assertHealth(context, Status.DOWN);

                server.restart();
                await().atMost(Duration.ofSeconds(30))
                        .ignoreExceptionsInstanceOf(LockBackendException.class)
                        .until(() -> deploy.tryLock("key").isPresent());
                assertHealth(context, Status.UP);
            });
        }
        assertThat(output).contains("Lock store 'redis' could not be checked");
    }

    @Test
    void aRedisThatMayForgetLocksIsTold(CapturedOutput output) {
        runner.withPropertyValues(at(RedisServer.shared())).run(context -> {
            context.getBean("deployLocker", Locker.class).lock("key").close();
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(output)
                            .contains("Locks in 'redis' are less safe than they could be: appendonly: is 'no'"));
        });
    }

    @Test
    void aRedisThatMayForgetLocksFailsTheStartIfItIsTo() {
        FailureAnalysis analysis = StartFailures.of(
                runner.withPropertyValues(at(RedisServer.shared())).withPropertyValues("lock.safety.level=fail"));

        assertThat(analysis.getDescription()).contains("redis: appendonly: is 'no'");
        assertThat(analysis.getAction()).contains("set 'lock.safety.level'");
    }

    @Test
    void oneOfSeveralConnectionFactoriesHasToBeNamed() {
        ApplicationContextRunner two = runner.withBean("one", LettuceConnectionFactory.class, this::connections)
                .withBean("two", LettuceConnectionFactory.class, this::connections);

        FailureAnalysis analysis = StartFailures.of(two);
        assertThat(analysis.getDescription())
                .isEqualTo("'lock.redis.connection-factory' must be set, since there are several beans of type"
                        + " RedisConnectionFactory: [one, two].");
        assertThat(StartFailures.of(two.withPropertyValues("lock.redis.connection-factory=three"))
                        .getDescription())
                .startsWith("'lock.redis.connection-factory' must be the name of a bean of type RedisConnectionFactory,"
                        + " one of [one, two]: 'three'.");
        assertThat(StartFailures.of(two.withBean("orders", String.class, () -> "orders")
                                .withPropertyValues("lock.redis.connection-factory=orders"))
                        .getDescription())
                .startsWith("'lock.redis.connection-factory' must be the name of a bean of type RedisConnectionFactory,"
                        + " one of [one, two]: 'orders'.");
        two.withPropertyValues("lock.redis.connection-factory=two")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aFenceRetentionThatIsTooShortIsRefused() {
        FailureAnalysis analysis = StartFailures.of(
                runner.withPropertyValues(at(durable)).withPropertyValues("lock.redis.fence-retention=30s"));

        assertThat(analysis.getDescription())
                .startsWith("'lock.redis.fence-retention' must be at least 1m: 30s. It is set in");
    }

    @Test
    void theFastPathCanBeSwitchedOff() {
        ApplicationContextRunner single = runner.withPropertyValues(at(durable));
        single.run(context -> assertBackend(context, RedisFastPath.class));
        single.withPropertyValues("lock.redis.fast-path=false")
                .run(context -> assertBackend(context, RedisLockBackend.class));
    }

    @Test
    void replicasThatCannotConfirmAreRefused() {
        assertThat(StartFailures.of(
                                runner.withPropertyValues(at(durable)).withPropertyValues("lock.redis.min-replicas=-1"))
                        .getDescription())
                .startsWith("'lock.redis.min-replicas' must not be negative: '-1'. It is set in");
        assertThat(StartFailures.of(runner.withPropertyValues(at(durable))
                                .withPropertyValues("lock.redis.replica-timeout=2s"))
                        .getDescription())
                .startsWith("'lock.redis.replica-timeout' must be 1ms to 1s: 2s. It is set in");
        assertThat(StartFailures.of(runner.withPropertyValues(at(durable))
                                .withPropertyValues("lock.redis.grace-period=-1s"))
                        .getDescription())
                .startsWith("'lock.redis.grace-period' must be 0s to 365d: -1s. It is set in");
    }

    /** Nobody knows over which connection another client than Lettuce or Jedis asks the replicas. */
    @Test
    void replicasThatMayConfirmAnotherCommandAreRefused() {
        assertThat(StartFailures.of(
                                runner.withBean(RedisConnectionFactory.class, () -> mock(RedisConnectionFactory.class))
                                        .withPropertyValues("lock.redis.min-replicas=1"))
                        .getDescription())
                .startsWith("'lock.redis.min-replicas' must be 0: 1, but " + RedisConnectionFactory.class.getName())
                .contains("or set 'lock.redis.min-replicas' to 0")
                .contains("It is set in");
    }

    @Test
    void replicasThatAreNotThereAreToldAndGrantNothing() {
        ApplicationContextRunner strict =
                runner.withPropertyValues(at(durable)).withPropertyValues("lock.redis.min-replicas=1");
        assertThat(StartFailures.of(strict.withPropertyValues("lock.safety.level=fail"))
                        .getDescription())
                .contains("min-replicas: is 1, and 0 replicas are connected");
        strict.run(
                context -> assertThatThrownBy(() ->
                                context.getBean("deployLocker", Locker.class).tryLock("nobody confirms"))
                        .isInstanceOf(LockBackendException.class)
                        .hasMessageContaining(
                                "0 of 1 replicas are connected to the new master (see whether the replicas are"
                                        + " connected to the master, or lower 'lock.redis.min-replicas', or the server's own min-replicas-to-write)"));
    }

    @Test
    void thereIsNoRedisWithoutItsClient() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader("org.springframework.data.redis", "io.lettuce"))
                .withPropertyValues("lock.backend=memory", "lock.lockers.deploy.ttl=10s")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasBean("deployLocker")
                        .doesNotHaveBean("redisLockBackendFactory"));
    }

    private static void assertBackend(ApplicationContext context, Class<?> type) {
        RedisLockProperties properties = context.getBean(RedisLockProperties.class);
        try (LockBackend backend = context.getBean(RedisLockBackendConfiguration.RedisStores.class)
                .create("lock.redis", properties.server())) {
            assertThat(backend).isExactlyInstanceOf(type);
        }
    }

    private static void assertHealth(ApplicationContext context, Status expected) {
        Health health = context.getBean(LockHealthIndicator.class).health();
        assertThat(health.getStatus()).isEqualTo(expected);
        assertThat(health.getDetails()).containsOnlyKeys("redis");
    }

    private LettuceConnectionFactory connections() {
        return new LettuceConnectionFactory(durable.host(), durable.port());
    }

    private static String[] at(RedisServer server) {
        return new String[] {"spring.data.redis.host=" + server.host(), "spring.data.redis.port=" + server.port()};
    }
}
