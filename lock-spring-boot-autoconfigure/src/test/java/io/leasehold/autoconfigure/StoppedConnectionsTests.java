package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.servers.database.PostgresServer;
import io.leasehold.servers.etcd.SharedEtcd;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.testsupport.FaultProxy;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;

/** An application that is stopped, and started again later, has no connection to a store in between. */
@Timeout(180)
class StoppedConnectionsTests {

    private static final Duration LONG = Duration.ofSeconds(60);

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withPropertyValues(
                    "lock.defaults.ttl=30s", "lock.defaults.wait-time=30s", "lock.defaults.command-timeout=10s");

    @Test
    void toTheRedisOfTheApplication() {
        try (RedisServer redis = RedisServer.startDurable();
                FaultProxy proxy = new FaultProxy(redis.port())) {
            hasNoneWhileStopped(
                    runner.withConfiguration(AutoConfigurations.of(
                                    DataRedisAutoConfiguration.class, LockAutoConfiguration.class))
                            .withPropertyValues(
                                    "spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + proxy.port()),
                    proxy);
        }
    }

    @Test
    void toARedisThatOnlyLocksUse() {
        try (RedisServer redis = RedisServer.startDurable();
                FaultProxy proxy = new FaultProxy(redis.port())) {
            hasNoneWhileStopped(
                    runner.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
                            .withPropertyValues("lock.redis.host=127.0.0.1", "lock.redis.port=" + proxy.port()),
                    proxy);
        }
    }

    @Test
    void toADatabase() {
        PostgresServer database = PostgresServer.shared();
        try (FaultProxy proxy = new FaultProxy(database.port())) {
            hasNoneWhileStopped(
                    runner.withConfiguration(AutoConfigurations.of(
                                    DataSourceAutoConfiguration.class, LockAutoConfiguration.class))
                            .withPropertyValues(
                                    "lock.backend=jdbc",
                                    "lock.jdbc.initialize-schema=true",
                                    "spring.datasource.url="
                                            + database.url().replace(":" + database.port(), ":" + proxy.port())),
                    proxy);
        }
    }

    @Test
    void toEtcd() {
        try (FaultProxy proxy = new FaultProxy(SharedEtcd.endpoint().getPort())) {
            hasNoneWhileStopped(
                    runner.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
                            .withPropertyValues("lock.etcd.endpoints[0]=http://127.0.0.1:" + proxy.port()),
                    proxy);
        }
    }

    @Test
    void toADatabaseOfRowLocks() {
        PostgresServer database = PostgresServer.shared();
        try (FaultProxy proxy = new FaultProxy(database.port())) {
            hasNoneWhileStopped(
                    runner.withConfiguration(AutoConfigurations.of(
                                    DataSourceAutoConfiguration.class, LockAutoConfiguration.class))
                            .withPropertyValues(
                                    "lock.backend=row-lock",
                                    "lock.row-lock.initialize-schema=true",
                                    "spring.datasource.url="
                                            + database.url().replace(":" + database.port(), ":" + proxy.port())),
                    proxy);
        }
    }

    @Test
    void toTheNodesOfRedlock() {
        List<RedisServer> nodes =
                Stream.generate(RedisServer::startDurable).limit(3).toList();
        List<FaultProxy> proxies =
                nodes.stream().map(node -> new FaultProxy(node.port())).toList();
        try {
            hasNoneWhileStopped(
                    runner.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
                            .withPropertyValues("lock.backend=redlock", "lock.redlock.node-timeout=3s")
                            .withPropertyValues(proxies.stream()
                                    .flatMap(proxy -> Stream.of(
                                                    ".host=127.0.0.1",
                                                    ".port=" + proxy.port(),
                                                    ".persists-every-write=true")
                                            .map(setting ->
                                                    "lock.redlock.nodes[" + proxies.indexOf(proxy) + "]" + setting))
                                    .toArray(String[]::new)),
                    proxies);
        } finally {
            proxies.forEach(FaultProxy::close);
            nodes.forEach(RedisServer::close);
        }
    }

    @Test
    void toTheRedisOfOneLocker() {
        try (RedisServer redis = RedisServer.startDurable();
                FaultProxy proxy = new FaultProxy(redis.port())) {
            hasNoneWhileStopped(
                    runner.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
                            .withPropertyValues(
                                    "lock.lockers.default.redis.host=127.0.0.1",
                                    "lock.lockers.default.redis.port=" + proxy.port()),
                    proxy);
        }
    }

    private static void hasNoneWhileStopped(ApplicationContextRunner runner, FaultProxy proxy) {
        hasNoneWhileStopped(runner, List.of(proxy));
    }

    private static void hasNoneWhileStopped(ApplicationContextRunner runner, List<FaultProxy> proxies) {
        runner.run(context -> {
            ConfigurableApplicationContext application =
                    context.getSourceApplicationContext(ConfigurableApplicationContext.class);
            Locker locker = context.getBean(Locker.class);
            for (int i = 0; i < 2; i++) {
                LockHandle handle = locker.lock("stopped");
                assertThat(proxies).anyMatch(proxy -> proxy.connections() > 0);
                application.stop();
                assertThat(handle.isHeld()).isFalse();
                await().atMost(LONG).until(() -> proxies.stream().allMatch(proxy -> proxy.connections() == 0));
                application.start();
            }
            try (LockHandle handle = locker.lock("stopped")) {
                assertThat(handle.isHeld()).isTrue();
            }
        });
    }
}
