package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.autoconfigure.backend.LockBackends;
import io.leasehold.autoconfigure.etcd.EtcdConnectionDetails;
import io.leasehold.autoconfigure.redis.RedlockConnectionDetails;
import io.leasehold.servers.etcd.SharedEtcd;
import io.leasehold.servers.redis.RedisServer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Beans of type {@code ConnectionDetails}, as Testcontainers and Docker Compose define them, replace properties. */
class ConnectionDetailsTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataRedisAutoConfiguration.class, DataSourceAutoConfiguration.class, LockAutoConfiguration.class))
            .withPropertyValues("lock.defaults.ttl=20s", "lock.defaults.command-timeout=5s");

    @Test
    void theRedisOfTheApplicationIsThatOfItsDetails() {
        try (RedisServer redis = RedisServer.start()) {
            runner.withBean("details", DataRedisConnectionDetails.class, () -> details(redis))
                    .withPropertyValues("spring.data.redis.port=1")
                    .run(context -> assertThatItLocksIn(redis, context));
        }
    }

    @Test
    void theRedisOfLocksIsThatOfTheDetailsToo() {
        try (RedisServer redis = RedisServer.start()) {
            runner.withBean("details", DataRedisConnectionDetails.class, () -> details(redis))
                    .withPropertyValues("lock.redis.host=localhost", "lock.redis.port=1")
                    .run(context -> {
                        assertThatItLocksIn(redis, context);
                        assertThat(context.getBean(LockBackends.class).setBy("redis"))
                                .isEqualTo("the DataRedisConnectionDetails bean 'details'");
                    });
        }
    }

    @Test
    void detailsWithoutASingleServerCannotReplaceOne() {
        assertThat(StartFailures.of(runner.withBean(
                                        "details",
                                        DataRedisConnectionDetails.class,
                                        () -> new DataRedisConnectionDetails() {})
                                .withBean(NeedsLocker.class)
                                .withPropertyValues("lock.redis.host=localhost"))
                        .getDescription())
                .contains("'lock.redis' names a single server", "the bean 'details' name none");
    }

    @Test
    void theNodesOfRedlockAreThoseOfTheDetails() {
        try (RedisServer one = RedisServer.startDurable();
                RedisServer two = RedisServer.startDurable();
                RedisServer three = RedisServer.startDurable()) {
            runner.withBean(
                            "details",
                            RedlockConnectionDetails.class,
                            () -> () -> List.of(node(one), node(two), node(three)))
                    .withPropertyValues(
                            "lock.backend=redlock",
                            "lock.redlock.node-timeout=900ms",
                            "lock.redlock.nodes[0].host=localhost",
                            "lock.redlock.nodes[0].port=1")
                    .run(context -> {
                        try (LockHandle held = context.getBean(Locker.class).lock("key")) {
                            assertThat(held.isHeld()).isTrue();
                            assertThat(List.of(one, two, three))
                                    .filteredOn(
                                            server -> Long.valueOf(1).equals(server.command("EXISTS", "default:key")))
                                    .hasSizeGreaterThanOrEqualTo(2);
                        }
                    });
        }
    }

    @Test
    void theClusterOfEtcdIsThatOfTheDetails() {
        runner.withBean("details", EtcdConnectionDetails.class, () -> () -> List.of(SharedEtcd.endpoint()))
                .withPropertyValues("lock.etcd.endpoints=http://localhost:1")
                .withPropertyValues("lock.backend=etcd")
                .run(context -> {
                    try (LockHandle held = context.getBean(Locker.class).lock("of-details")) {
                        assertThat(held.isHeld()).isTrue();
                    }
                    assertThat(context.getBean(LockBackends.class).setBy("etcd"))
                            .startsWith("the EtcdConnectionDetails bean as [http");
                });
    }

    @Test
    void theDatabaseIsThatOfTheDetails() {
        runner.withBean("details", JdbcConnectionDetails.class, H2Details::new)
                .withPropertyValues(
                        "lock.backend=jdbc",
                        "lock.jdbc.initialize-schema=true",
                        "spring.datasource.url=jdbc:postgresql://localhost:1/none")
                .run(context -> {
                    try (LockHandle held = context.getBean(Locker.class).lock("key")) {
                        assertThat(held.isHeld()).isTrue();
                    }
                });
    }

    private static void assertThatItLocksIn(RedisServer redis, ApplicationContext context) {
        try (LockHandle held = context.getBean(Locker.class).lock("key")) {
            assertThat(held.isHeld()).isTrue();
            assertThat(redis.command("EXISTS", "default:key")).isEqualTo(1L);
        }
    }

    private static DataRedisConnectionDetails details(RedisServer redis) {
        return new DataRedisConnectionDetails() {

            @Override
            public Standalone getStandalone() {
                return Standalone.of(redis.host(), redis.port());
            }
        };
    }

    private static RedlockConnectionDetails.Node node(RedisServer server) {
        return new RedlockConnectionDetails.Node() {

            @Override
            public String getHost() {
                return server.host();
            }

            @Override
            public int getPort() {
                return server.port();
            }

            @Override
            public boolean persistsEveryWrite() {
                return true;
            }
        };
    }

    record NeedsLocker(Locker locker) {}

    private static final class H2Details implements JdbcConnectionDetails {

        @Override
        public String getUsername() {
            return "sa";
        }

        @Override
        public String getPassword() {
            return "";
        }

        @Override
        public String getJdbcUrl() {
            return "jdbc:h2:mem:details;DB_CLOSE_DELAY=-1";
        }
    }
}
