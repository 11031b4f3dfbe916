package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.servers.database.PostgresServer;
import io.leasehold.servers.etcd.SharedEtcd;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.testsupport.FaultProxy;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** An application opens its first connection to a store with its first lock or health request. */
class ConnectionsAtStartTests {

    /** A connection that is opened in the background at the start arrives within this time. */
    private static final Duration QUIET = Duration.ofMillis(500);

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataRedisAutoConfiguration.class, DataSourceAutoConfiguration.class, LockAutoConfiguration.class))
            .withPropertyValues("lock.lockers.deploy.ttl=10s");

    @Test
    void redisOfTheApplication() {
        try (FaultProxy proxy = new FaultProxy(RedisServer.shared().port())) {
            assertFirstConnection(proxy, "lock.backend=redis", "spring.data.redis.port=" + proxy.port());
        }
    }

    @Test
    void redisOfTheLocks() {
        try (FaultProxy proxy = new FaultProxy(RedisServer.shared().port())) {
            assertFirstConnection(proxy, "lock.backend=redis", "lock.redis.url=redis://127.0.0.1:" + proxy.port());
        }
    }

    @Test
    void postgresOfTheApplication() {
        try (FaultProxy proxy = new FaultProxy(postgresWithTable().port())) {
            assertFirstConnection(proxy, "lock.backend=jdbc", "spring.datasource.url=" + urlAt(proxy));
        }
    }

    @Test
    void postgresOfTheLocks() {
        try (FaultProxy proxy = new FaultProxy(postgresWithTable().port())) {
            assertFirstConnection(proxy, "lock.backend=jdbc", "lock.jdbc.url=" + urlAt(proxy));
        }
    }

    @Test
    void etcd() {
        URI endpoint = SharedEtcd.endpoint();
        try (FaultProxy proxy = new FaultProxy(endpoint.getPort())) {
            assertFirstConnection(proxy, "lock.backend=etcd", "lock.etcd.endpoints=http://127.0.0.1:" + proxy.port());
        }
    }

    @Test
    void redlockConnectsToNoneOfItsNodes() {
        List<FaultProxy> proxies = Stream.generate(
                        () -> new FaultProxy(RedisServer.shared().port()))
                .limit(3)
                .toList();
        try {
            runner.withPropertyValues("lock.backend=redlock")
                    .withPropertyValues(proxies.stream()
                            .flatMap(proxy -> Stream.of(".host=127.0.0.1", ".port=" + proxy.port())
                                    .map(setting -> "lock.redlock.nodes[" + proxies.indexOf(proxy) + "]" + setting))
                            .toArray(String[]::new))
                    .run(context -> {
                        proxies.forEach(proxy -> assertNoConnection(context, proxy));
                        // Three addresses of one server are no quorum; the attempt connects to all of them.
                        catchThrowable(() ->
                                context.getBean("deployLocker", Locker.class).tryLock("first", Duration.ZERO));
                        await().until(() -> proxies.stream().allMatch(proxy -> proxy.accepted() > 0));
                    });
        } finally {
            proxies.forEach(FaultProxy::close);
        }
    }

    /** The check has to know the findings before the application has started. */
    @Test
    void aCheckThatMayFailTheStartConnects() {
        try (FaultProxy proxy = new FaultProxy(RedisServer.shared().port())) {
            runner.withPropertyValues(
                            "lock.backend=redis",
                            "lock.redis.url=redis://127.0.0.1:" + proxy.port(),
                            "lock.safety.levels.maxmemory-policy=fail")
                    .run(context -> assertThat(proxy.accepted()).isPositive());
        }
    }

    private void assertFirstConnection(FaultProxy proxy, String... properties) {
        runner.withPropertyValues(properties).run(context -> {
            assertNoConnection(context, proxy);
            try (LockHandle held = context.getBean("deployLocker", Locker.class).lock("first")) {
                assertThat(held.isHeld()).isTrue();
            }
            assertThat(proxy.accepted()).isPositive();
        });
    }

    private static void assertNoConnection(AssertableApplicationContext context, FaultProxy proxy) {
        assertThat(context).hasNotFailed();
        await().during(QUIET).atMost(QUIET.multipliedBy(20)).until(() -> proxy.accepted() == 0);
    }

    private PostgresServer postgresWithTable() {
        PostgresServer server = PostgresServer.shared();
        runner.withPropertyValues(
                        "lock.backend=jdbc", "lock.jdbc.url=" + server.url(), "lock.jdbc.initialize-schema=true")
                .run(context -> assertThat(context).hasNotFailed());
        return server;
    }

    private static String urlAt(FaultProxy proxy) {
        PostgresServer server = PostgresServer.shared();
        return server.url().replace(":" + server.port() + "/", ":" + proxy.port() + "/");
    }
}
