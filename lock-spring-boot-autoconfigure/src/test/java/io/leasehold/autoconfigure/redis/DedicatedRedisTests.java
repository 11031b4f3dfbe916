package io.leasehold.autoconfigure.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.actuate.LockHealthIndicator;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.autoconfigure.LockHealthContributorAutoConfiguration;
import io.leasehold.autoconfigure.StartFailures;
import io.leasehold.autoconfigure.backend.LockBackends;
import io.leasehold.servers.redis.RedisServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Locks that share no Redis with the business: one server for the application, another one for locks. */
class DedicatedRedisTests {

    private final RedisServer business = RedisServer.startDurable();

    private final RedisServer locks = RedisServer.startDurable("requirepass secret");

    private final ApplicationContextRunner withoutBusiness = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(LockAutoConfiguration.class, LockHealthContributorAutoConfiguration.class))
            .withPropertyValues(
                    "lock.defaults.ttl=20s",
                    "lock.defaults.wait-time=20s",
                    "lock.defaults.command-timeout=2s",
                    "lock.lockers.billing.namespace=billing");

    private ApplicationContextRunner runner = withoutBusiness;

    @BeforeEach
    void addBusiness() {
        runner = withoutBusiness
                .withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
                .withPropertyValues(
                        "spring.data.redis.host=" + business.host(), "spring.data.redis.port=" + business.port());
    }

    @AfterEach
    void stop() {
        business.close();
        locks.close();
    }

    @Test
    void allLocksCanBeInARedisOfTheirOwn() {
        runner.withPropertyValues(at("lock.redis")).run(context -> {
            try (LockHandle handle = lock(context, "billing")) {
                assertThat(handle.isHeld()).isTrue();
                assertThat(locks.command("EXISTS", "billing:key")).isEqualTo(1L);
            }
            assertThat(business.command("DBSIZE")).isEqualTo(0L);
            assertThat(context).hasSingleBean(RedisConnectionFactory.class);
        });
    }

    @Test
    void theApplicationNeedsNoRedisItself() {
        withoutBusiness.withPropertyValues(at("lock.redis")).run(context -> {
            lock(context, "billing").close();
            assertThat(context).doesNotHaveBean(RedisConnectionFactory.class);
            assertThat(locks.command("EXISTS", "{billing:key}:fence")).isEqualTo(1L);
        });
    }

    /** The Redis of the locker has the lock, its fencing counter, and soon the name of this process. */
    @Test
    void oneLockerCanHaveARedisOfItsOwn() {
        runner.withPropertyValues(at("lock.lockers.deploy.redis"))
                .withPropertyValues("lock.lockers.deploy.redis.database=3")
                .run(context -> {
                    try (LockHandle deploy = lock(context, "deploy");
                            LockHandle billing = lock(context, "billing")) {
                        assertThat(deploy.isHeld() && billing.isHeld()).isTrue();
                        assertThat(business.command("EXISTS", "billing:key")).isEqualTo(1L);
                        assertThat(business.command("EXISTS", "deploy:key")).isEqualTo(0L);
                        assertThat(locks.command("INFO", "keyspace").toString()).containsPattern("db3:keys=[23],");
                    }
                    LockerRegistry lockers = context.getBean(LockerRegistry.class);
                    assertThat(lockers.status("billing").backend()).isEqualTo("redis");
                    assertThat(lockers.status("deploy").backend()).isEqualTo("deploy.redis");
                });
    }

    @Test
    void aUrlSaysItAll() {
        runner.withPropertyValues(
                        "lock.lockers.deploy.redis.url=redis://:secret@" + locks.host() + ":" + locks.port() + "/2")
                .run(context -> {
                    try (LockHandle deploy = lock(context, "deploy")) {
                        assertThat(deploy.isHeld()).isTrue();
                        assertThat(locks.command("INFO", "keyspace").toString()).containsPattern("db2:keys=[23],");
                    }
                });
    }

    @Test
    void aLockerCanUseAConnectionFactoryByItsName() {
        withoutBusiness
                .withBean("businessRedis", LettuceConnectionFactory.class, () -> connections(business, ""))
                .withBean("locksRedis", LettuceConnectionFactory.class, () -> connections(locks, "secret"))
                .withPropertyValues(
                        "lock.redis.connection-factory=businessRedis",
                        "lock.lockers.deploy.redis.connection-factory=locksRedis")
                .run(context -> {
                    try (LockHandle deploy = lock(context, "deploy");
                            LockHandle billing = lock(context, "billing")) {
                        assertThat(deploy.isHeld() && billing.isHeld()).isTrue();
                        assertThat(business.command("EXISTS", "billing:key")).isEqualTo(1L);
                        assertThat(locks.command("EXISTS", "deploy:key")).isEqualTo(1L);
                    }
                });
    }

    @Test
    void lockersThatSayTheSameShareTheirConnections() {
        runner.withPropertyValues(at("lock.lockers.audit.redis"))
                .withPropertyValues(at("lock.lockers.deploy.redis"))
                .run(context -> assertThat(context.getBean(LockBackends.class).used())
                        .containsOnlyKeys("redis", "audit.redis"));
    }

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void healthTellsOneRedisFromTheOther() {
        runner.withPropertyValues(at("lock.lockers.deploy.redis")).run(context -> {
            LockHealthIndicator indicator = context.getBean(LockHealthIndicator.class);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> indicator.health().getStatus().equals(Status.UP));

            business.stop();
            await().atMost(Duration.ofSeconds(40)).untilAsserted(() -> {
                Health health = indicator.health();
                assertThat(health.getStatus()).isEqualTo(Status.DOWN);
                assertThat(health.getDetails()).containsOnlyKeys("redis", "deploy.redis");
                assertThat(health.getDetails().get("deploy.redis").toString()).contains("reachable=true");
                assertThat(health.getDetails().get("redis").toString()).contains("reachable=false");
            });
            lock(context, "deploy").close();
        });
    }

    @Test
    void whatIsHeldAtShutdownIsReleasedBeforeTheConnectionsClose() {
        runner.withPropertyValues(at("lock.lockers.deploy.redis"))
                .withPropertyValues("lock.shutdown.timeout=50ms")
                .run(context -> lock(context, "deploy"));

        assertThat(locks.command("EXISTS", "deploy:key")).isEqualTo(0L);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> locks.command("INFO", "clients").toString().contains("connected_clients:1\r"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            lock.redis.host=h    | lock.redis.connection-factory=redisConnectionFactory | 'lock.redis.connection-factory' has no meaning with 'lock.redis.host'
            lock.redis.host=h    | lock.redis.url=redis://h           | 'lock.redis.host' has no meaning with 'lock.redis.url'
            lock.redis.port=1    | lock.redis.database=1              | 'lock.redis.host' must be set, since 'lock.redis.port' is
            lock.redis.host=h    | lock.redis.port=70000              | 'lock.redis.port' must be 1 to 65535: '70000'
            lock.redis.host=h    | lock.redis.database=-1             | 'lock.redis.database' must not be negative: '-1'
            lock.redis.host=h    | lock.redis.ssl.bundle=no           | 'lock.redis.ssl.bundle' must be the name of an SSL bundle: 'no'
            lock.redis.url=h:1   | lock.redis.fence-retention=1h      | 'lock.redis.url' must be redis://host:port or rediss://host:port
            lock.redis.url=redis://h/x | lock.redis.fence-retention=1h | 'lock.redis.url' must have the number of a database as path
            lock.redis.url=redis://h   | lock.redis.port=1            | 'lock.redis.port' has no meaning with 'lock.redis.url'
            lock.redis.url=redis://h   | lock.redis.ssl.bundle=b      | 'lock.redis.url' must begin with rediss:// to use an SSL bundle
            lock.lockers.billing.redis.host=h | lock.backend=memory   | 'lock.lockers.billing.redis' has no meaning with 'lock.backend' set to 'memory'
            lock.lockers.billing.redis.host=h | lock.lockers.billing.redis.prot=1 | lock.lockers.billing.redis.prot
            lock.lockers.billing.redis.host=${HOST:} | lock.backend=redis | 'lock.lockers.billing.redis.host' must be set, since the locker has a Redis of its own
            """)
    void whatHasNoMeaningIsRefused(String one, String other, String text) {
        FailureAnalysis analysis = StartFailures.of(runner.withPropertyValues(one, other));

        assertThat(analysis.getDescription()).contains(text);
        assertThat(analysis.getAction()).isNotBlank();
    }

    @Test
    void aPasswordInAUrlIsNotRepeated() {
        FailureAnalysis analysis =
                StartFailures.of(runner.withPropertyValues("lock.redis.url=http://:top-secret@localhost"));

        assertThat(analysis.getDescription()).contains("It is set in").doesNotContain("top-secret");
        assertThat(analysis.getCause()).hasMessageNotContaining("top-secret");
    }

    @Test
    void withoutLettuceAConnectionFactoryIsNeeded() {
        FailureAnalysis analysis = StartFailures.of(withoutBusiness
                .withClassLoader(new FilteredClassLoader("org.springframework.data.redis", "io.lettuce"))
                .withPropertyValues("lock.backend=redis", "lock.lockers.billing.redis.host=localhost"));

        assertThat(analysis.getDescription()).startsWith("'lock.lockers.billing.redis' needs a client of Redis.");
    }

    private static LockHandle lock(BeanFactory context, String locker) {
        return context.getBean(locker + "Locker", Locker.class).lock("key");
    }

    private String[] at(String prefix) {
        return new String[] {
            prefix + ".host=" + locks.host(), prefix + ".port=" + locks.port(), prefix + ".password=secret"
        };
    }

    private static LettuceConnectionFactory connections(RedisServer server, String password) {
        RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration(server.host(), server.port());
        configuration.setPassword(password);
        return new LettuceConnectionFactory(configuration);
    }
}
