package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.contract.StoreClient;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The additional permissions of the documented user if replicas confirm leases. */
class RedisReplicaRightsTests {

    private static final RedisLockOptions ONE_REPLICA = RedisLockOptions.defaults()
            .withMinReplicas(1)
            .withReplicaTimeout(Duration.ofSeconds(1))
            .withGracePeriod(Duration.ofSeconds(1));

    private static RedisServer master;

    private static RedisServer replica;

    @BeforeAll
    static void start() {
        master = RedisServer.start("repl-diskless-sync-delay 0");
        replica = RedisServer.start("repl-diskless-sync-delay 0", "replicaof 127.0.0.1 " + master.port());
        await().atMost(Duration.ofSeconds(30)).until(() -> master.hasReplicas(1));
    }

    @AfterAll
    static void stop() {
        replica.close();
        master.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void withTheRightToWaitLocksAreGranted(boolean lettuce) {
        with(RedisUser.documented().with("+wait").with("~leasehold-master"), ONE_REPLICA, lettuce, client -> {
            // without the right to CLIENT LIST, the grace period begins with the first request
            await().atMost(Duration.ofSeconds(30))
                    .ignoreExceptions()
                    .until(() -> client.release(client.grant("waits-" + lettuce)) == ReleaseAnswer.RELEASED);
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void withoutItTheOutcomeOnTheMasterIsReportedAsUnknown(boolean lettuce) {
        with(RedisUser.documented(), ONE_REPLICA.withGracePeriod(Duration.ZERO), lettuce, client -> {
            AcquireCommand command =
                    new AcquireCommand(client.id("refused-" + lettuce), client.token(), StoreClient.LONG, 1, false);
            assertThat(client.backend().acquire(command).toCompletableFuture())
                    .failsWithin(Duration.ofSeconds(20))
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOfSatisfying(
                            BackendFailure.class,
                            failure -> assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN))
                    .withMessageContaining("the Redis user may not run this command");
            assertThat(client.backend()
                            .release(new ReleaseCommand(command.id(), command.token()))
                            .toCompletableFuture())
                    .failsWithin(Duration.ofSeconds(20));
            assertThat(master.command("EXISTS", "deploy:refused-" + lettuce)).isEqualTo(0L);
        });
    }

    private static void with(RedisUser user, RedisLockOptions options, boolean lettuce, Consumer<StoreClient> test) {
        user.create(master, "locks");
        RedisConnectionFactory factory = lettuce ? lettuce() : jedis();
        try (LockBackend backend = RedisLockBackend.of(factory, options)) {
            test.accept(new StoreClient(backend, "deploy"));
        } finally {
            close(factory);
        }
    }

    private static LettuceConnectionFactory lettuce() {
        LettuceConnectionFactory factory = new LettuceConnectionFactory(RedisUser.at(master, "locks"));
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }

    private static JedisConnectionFactory jedis() {
        JedisConnectionFactory factory = new JedisConnectionFactory(RedisUser.at(master, "locks"));
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }

    private static void close(RedisConnectionFactory factory) {
        if (factory instanceof LettuceConnectionFactory lettuce) {
            lettuce.destroy();
        } else {
            ((JedisConnectionFactory) factory).destroy();
        }
    }
}
