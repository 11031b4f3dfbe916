package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockState;
import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.contract.Waiter;
import io.leasehold.servers.FreePort;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.Token;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.protocol.ProtocolVersion;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Locks behave the same with unusual settings of a server and of a client, many at the same time. */
class RedisSettingsTests {

    private static final RedisServer UNUSUAL = RedisServer.start(
            "databases 2",
            "timeout 1",
            "appendonly yes",
            "appendfsync always",
            "maxmemory 200mb",
            "maxmemory-policy noeviction",
            "maxmemory-clients 20mb",
            "client-output-buffer-limit pubsub 1 0 0",
            "notify-keyspace-events KEA",
            "active-expire-effort 10",
            "lazyfree-lazy-expire yes",
            "lazyfree-lazy-user-del yes",
            "rename-command INFO hidden-info",
            "rename-command HELLO \"\"",
            "rename-command CLIENT \"\"",
            "rename-command CONFIG \"\"",
            "rename-command SCRIPT \"\"");

    enum Client {
        LETTUCE(server -> new LettuceConnectionFactory(
                server, LettuceClientConfiguration.builder().build())),
        UNUSUAL_LETTUCE(server -> {
            LettuceConnectionFactory factory = new LettuceConnectionFactory(
                    server,
                    LettuceClientConfiguration.builder()
                            .clientName("orders")
                            .commandTimeout(Duration.ofMillis(1))
                            .readFrom(ReadFrom.REPLICA_PREFERRED)
                            .clientOptions(ClientOptions.builder()
                                    .protocolVersion(ProtocolVersion.RESP2)
                                    .autoReconnect(false)
                                    .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                                    .timeoutOptions(TimeoutOptions.builder()
                                            .fixedTimeout(Duration.ofMillis(1))
                                            .build())
                                    .requestQueueSize(5)
                                    .publishOnScheduler(true)
                                    .build())
                            .build());
            factory.setShareNativeConnection(false);
            factory.setValidateConnection(true);
            return factory;
        }),
        JEDIS(server -> new JedisConnectionFactory(server)),
        UNUSUAL_JEDIS(server -> {
            GenericObjectPoolConfig<?> one = new GenericObjectPoolConfig<>();
            one.setMaxTotal(1);
            one.setMaxIdle(0);
            one.setTestOnBorrow(false);
            return new JedisConnectionFactory(
                    server,
                    JedisClientConfiguration.builder()
                            .clientName("orders")
                            .usePooling()
                            .poolConfig(one)
                            .build());
        });

        private final Function<RedisStandaloneConfiguration, RedisConnectionFactory> factory;

        Client(Function<RedisStandaloneConfiguration, RedisConnectionFactory> factory) {
            this.factory = factory;
        }

        /** Returns a backend that closes the client of the application with itself. */
        private LockBackend backend(RedisStandaloneConfiguration server) {
            RedisConnectionFactory application = factory.apply(server);
            Runnable close;
            if (application instanceof LettuceConnectionFactory lettuce) {
                lettuce.afterPropertiesSet();
                lettuce.start();
                close = lettuce::destroy;
            } else {
                JedisConnectionFactory jedis = (JedisConnectionFactory) application;
                jedis.afterPropertiesSet();
                jedis.start();
                close = jedis::destroy;
            }
            RedisLockOptions options = RedisLockOptions.defaults();
            return RedisLockBackend.of(RedisLockBackend.client(application, options), options, close);
        }

        LockBackend backend(int port, int database) {
            RedisStandaloneConfiguration server = new RedisStandaloneConfiguration("127.0.0.1", port);
            server.setDatabase(database);
            return backend(server);
        }
    }

    @AfterAll
    static void stop() {
        UNUSUAL.close();
    }

    @ParameterizedTest
    @EnumSource
    void leasesAreGrantedWaitedForAndRenewed(Client kind) {
        try (LockBackend backend = kind.backend(UNUSUAL.port(), 1);
                LockBackend otherBackend = kind.backend(UNUSUAL.port(), 1)) {
            StoreClient client = new StoreClient(backend, "deploy");
            StoreClient other = new StoreClient(otherBackend, "deploy");
            Held held = client.grant(client.id(kind.name()), Duration.ofSeconds(60));
            assertThat(other.busy(held.id()).remaining()).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(60));
            assertThat(client.describe(held.id())).isInstanceOf(LockState.Held.class);
            assertThat(client.list(10).locks())
                    .singleElement()
                    .extracting("key")
                    .isEqualTo(kind.name());
            assertThat(client.renew(held, Duration.ofSeconds(90))).isEqualTo(RenewAnswer.RENEWED);

            Waiter waiter = other.waitFor(held.id());
            assertThat(client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
            Granted next = (Granted) await().until(
                            () -> other.acquire(held.id(), waiter.token(), StoreClient.LONG),
                            Granted.class::isInstance);
            assertThat(next.firstFence()).isGreaterThan(held.firstFence());
            assertThat(other.release(held.id(), waiter.token(), Duration.ZERO)).isEqualTo(ReleaseAnswer.RELEASED);
        }
    }

    /** The application is not down because a command has another name. */
    @ParameterizedTest
    @EnumSource
    void theCheckOfAServerThatHidesInfoReportsThatItKnowsNothing(Client kind) {
        try (LockBackend backend = kind.backend(UNUSUAL.port(), 0)) {
            assertThat(StoreClient.await(backend.inspect())).singleElement().satisfies(finding -> {
                assertThat(finding.subject()).isEqualTo("user");
                assertThat(finding.finding()).contains("cannot be checked");
            });
            assertThat(StoreClient.await(backend.clockMillis())).isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRefusedConnectionIsNamed(Client kind) {
        int port = FreePort.find();
        try (LockBackend backend = kind.backend(port, 0)) {
            assertFails(backend, Effect.NOT_DONE, "127.0.0.1:" + port);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aDatabaseThatTheServerDoesNotHaveIsNamed(Client kind) {
        try (LockBackend backend = kind.backend(UNUSUAL.port(), 7)) {
            assertFails(backend, Effect.REFUSED, "ERR DB index is out of range", "spring.data.redis.database");
        }
    }

    /** The engine removes what an acquisition of unknown effect may have left. Here nothing was sent. */
    @Test
    void anExhaustedPoolIsNamed() {
        GenericObjectPoolConfig<Object> none = new GenericObjectPoolConfig<>();
        none.setMaxTotal(0);
        none.setBlockWhenExhausted(false);
        JedisConnectionFactory factory = new JedisConnectionFactory(
                new RedisStandaloneConfiguration("127.0.0.1", UNUSUAL.port()),
                JedisClientConfiguration.builder().usePooling().poolConfig(none).build());
        factory.afterPropertiesSet();
        factory.start();
        try (LockBackend backend = RedisLockBackend.of(factory, RedisLockOptions.defaults())) {
            assertFails(backend, Effect.NOT_DONE, "Pool exhausted");
        } finally {
            factory.destroy();
        }
    }

    private static void assertFails(LockBackend backend, Effect effect, String... reasons) {
        AcquireCommand command =
                new AcquireCommand(LockId.of("deploy", "a"), new Token(1, 1), StoreClient.LONG, 1, false);
        for (CompletionStage<?> answer : List.of(backend.connect(), backend.acquire(command))) {
            assertThatThrownBy(answer.toCompletableFuture()::join)
                    .cause()
                    .hasMessageStartingWith("no connection to Redis: ")
                    .hasMessageContainingAll(reasons)
                    .isInstanceOfSatisfying(
                            BackendFailure.class,
                            failure -> assertThat(failure.effect()).isEqualTo(effect));
        }
    }
}
