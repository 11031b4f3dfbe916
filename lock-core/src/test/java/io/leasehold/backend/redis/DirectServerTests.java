package io.leasehold.backend.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.engine.LockerSettings;
import io.leasehold.testsupport.RedisServer;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;

/** Where direct connections lead, and who logs in there. */
class DirectServerTests {

    private static final DirectLogin NOBODY = new DirectLogin(null, RedisPassword.none(), 0);

    private final RedisServer redis = RedisServer.shared();

    private final RedisClient client = RedisClient.of(redis.port());

    private final StatefulRedisConnection<byte[], byte[]> shared =
            ((io.lettuce.core.RedisClient) client.factory().getRequiredNativeClient()).connect(ByteArrayCodec.INSTANCE);

    @AfterEach
    void close() {
        shared.close();
        client.close();
        redis.command("ACL", "DELUSER", "direct");
    }

    @Test
    void itIsWhereTheSharedConnectionLeads() throws IOException {
        assertThatThrownBy(new DirectServer(NOBODY, () -> shared)::call).hasMessageContaining("is not open");
        try (DirectConnection connection = at(redis, NOBODY).call()) {
            assertThat(DirectLogin.ask(connection, CommandType.PING, DirectLogin.arguments()))
                    .isEqualTo("PONG");
        }
    }

    @Test
    void anotherServerAtTheSameAddressIsRefused() {
        try (RedisServer other = RedisServer.start()) {
            assertThatThrownBy(at(other, NOBODY)::call).hasMessageContaining("another server");
        }
    }

    @Test
    void theUserLogsInAndTheDatabaseIsChosen() throws IOException {
        redis.command("ACL", "SETUSER", "direct", "reset", "on", ">secret", "+@all", "~*");
        DirectLogin login = new DirectLogin("direct", RedisPassword.of("secret"), 3);
        try (DirectConnection connection = at(redis, login).call()) {
            String clients = (String) redis.command("CLIENT", "LIST");
            assertThat(clients.lines())
                    .anyMatch(line ->
                            line.contains("user=direct") && line.contains("db=3") && line.contains("name=leasehold"));
            assertThat(connection.lastUsed()).isZero();
        }
        DirectLogin wrong = new DirectLogin("direct", RedisPassword.of("wrong"), 3);
        assertThatThrownBy(at(redis, wrong)::call).hasMessageContaining("WRONGPASS");
        assertThat(wrong.toString()).doesNotContain("wrong");
    }

    @Test
    void whoMayNotAskWhichProcessAnswersHasNone() {
        redis.command("ACL", "SETUSER", "direct", "reset", "on", ">secret", "+@all", "-info", "~*");
        DirectLogin login = new DirectLogin("direct", RedisPassword.of("secret"), 0);
        assertThatThrownBy(at(redis, login)::call).hasMessageContaining("NOPERM");
    }

    @Test
    void onlyWhatIsPlainIsKnown() {
        RedisStandaloneConfiguration server = new RedisStandaloneConfiguration("127.0.0.1", redis.port());
        server.setUsername("direct");
        server.setPassword("secret");
        server.setDatabase(3);
        LettuceClientConfiguration plain = LettuceClientConfiguration.builder().build();
        assertThat(login(server, plain)).isEqualTo(new DirectLogin("direct", RedisPassword.of("secret"), 3));
        assertThat(login(server, LettuceClientConfiguration.builder().useSsl().build()))
                .isNull();
        assertThat(login(new RedisSocketConfiguration("/nowhere"), plain)).isNull();
        assertThat(login(new RedisClusterConfiguration(), plain)).isNull();
        RedisCredentialsProviderFactory changing = new RedisCredentialsProviderFactory() {
            @Override
            public RedisCredentialsProvider createCredentialsProvider(RedisConfiguration configuration) {
                return RedisCredentialsProvider.from(() -> RedisCredentials.just("direct", "secret"));
            }
        };
        assertThat(login(
                        server,
                        LettuceClientConfiguration.builder()
                                .redisCredentialsProviderFactory(changing)
                                .build()))
                .isNull();
    }

    @Test
    void aProcessThatLocksOftenHasSomeAndOneThatWantsNoneHasNone() {
        LockerSettings settings = LockerSettings.of("deploy").withTtl(RedisLocking.TTL);
        int others = clients();
        try (RedisLocking none = new RedisLocking(
                RedisClient.of(redis.port()),
                settings,
                RedisLockOptions.defaults().withDirectConnections(0))) {
            lockOften(none);
            int without = clients();
            try (RedisLocking some = new RedisLocking(redis.port(), settings)) {
                await().atMost(Duration.ofSeconds(20)).until(() -> {
                    lockOften(some);
                    return clients() - without == without - others + 1;
                });
            }
        }
    }

    private static void lockOften(RedisLocking here) {
        for (int i = 0; i < 100; i++) {
            here.locker().lock("often").close();
        }
    }

    private int clients() {
        return ((String) redis.command("CLIENT", "LIST", "TYPE", "NORMAL"))
                .lines()
                .toList()
                .size();
    }

    private DirectServer at(RedisServer server, DirectLogin login) {
        DirectServer direct = new DirectServer(login, () -> shared);
        direct.onRedisConnected(
                (RedisChannelHandler<?, ?>) shared, new InetSocketAddress(server.host(), server.port()));
        return direct;
    }

    private static @Nullable DirectLogin login(RedisConfiguration server, LettuceClientConfiguration client) {
        LettuceConnectionFactory factory = server instanceof RedisSocketConfiguration socket
                ? new LettuceConnectionFactory(socket, client)
                : server instanceof RedisClusterConfiguration cluster
                        ? new LettuceConnectionFactory(cluster, client)
                        : new LettuceConnectionFactory((RedisStandaloneConfiguration) server, client);
        return DirectLogin.of(factory);
    }
}
