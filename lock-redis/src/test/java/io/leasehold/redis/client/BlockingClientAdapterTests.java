package io.leasehold.redis.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.redis.RedisLockBackend;
import io.leasehold.redis.client.RedisScript.Answer;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.RedisSystemException;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisScriptingCommands;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** A blocking client whose scripts on the key {@code slow} wait for the test. */
class BlockingClientAdapterTests {

    private static final RedisScript SCRIPT = RedisScript.of(RedisLockBackend.class, "renew.lua", Answer.INTEGER);

    private final CountDownLatch slow = new CountDownLatch(1);

    private final BlockingClientAdapter client =
            new BlockingClientAdapter(factory(), least -> new RequiredReplicas(least, Duration.ofMillis(150)));

    @AfterEach
    void close() {
        slow.countDown();
        client.close();
    }

    /** With a replica that confirms slowly, grants would otherwise fill the queue in front of a renewal. */
    @Test
    void aRenewalDoesNotWaitBehindGrants() {
        List<CompletableFuture<Long>> grants = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            grants.add(client.grants().run(SCRIPT, new byte[][] {RedisKeys.bytes("slow")}));
        }
        CompletableFuture<Long> renewal = client.renewals().run(SCRIPT, new byte[][] {RedisKeys.bytes("renewed")});
        assertThat(renewal).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(1L);
        assertThat(grants).noneMatch(CompletableFuture::isDone);
        slow.countDown();
        grants.forEach(grant -> assertThat(grant).succeedsWithin(Duration.ofSeconds(20)));
    }

    /** {@code WAIT} waits for the commands of its connection. */
    @Test
    void aConnectionOfJedisIsOneConnectionToRedis() {
        JedisConnectionFactory application =
                new JedisConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", 1));
        assertThat(application).hasFieldOrPropertyWithValue("useUnifiedJedis", true);
        try (BlockingClientAdapter jedis =
                new BlockingClientAdapter(application, least -> new RequiredReplicas(least, Duration.ofMillis(150)))) {
            assertThat(jedis.connectionFactory())
                    .isNotSameAs(application)
                    .hasFieldOrPropertyWithValue("useUnifiedJedis", false)
                    .hasFieldOrPropertyWithValue("running", true);
        }
    }

    /** Their {@code WAIT} could confirm another script, and the lock would be granted without a replica. */
    @Test
    void connectionsThatAreNotOneConnectionToRedisConfirmNothing() {
        RedisStandaloneConfiguration server = new RedisStandaloneConfiguration("127.0.0.1", 1);
        JedisConnectionFactory subclass = new JedisConnectionFactory(server) {};
        assertThatThrownBy(() -> confirming(subclass))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "'min-replicas' must be 0: 1, but " + getClass().getName())
                .hasMessageContaining("call setUseUnifiedJedis(false) on it")
                .hasMessageEndingWith("or set 'lock.redis.min-replicas' to 0");
        assertThatThrownBy(() -> confirming(factory()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("use a LettuceConnectionFactory or a JedisConnectionFactory");
        JedisConnectionFactory cluster =
                new JedisConnectionFactory(new RedisClusterConfiguration(Set.of("127.0.0.1:1")));
        assertThatThrownBy(() -> confirming(cluster))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Redis Cluster");
        // by name, because Spring Data Redis 4.0 has no such property
        PropertyAccessorFactory.forBeanPropertyAccess(subclass).setPropertyValue("useUnifiedJedis", false);
        confirming(subclass).close();
    }

    /** Replicas confirm by default with Sentinel, so the message says where the number comes from. */
    @Test
    void theDefaultWithSentinelIsNamed() {
        JedisConnectionFactory subclass =
                new JedisConnectionFactory(new RedisSentinelConfiguration("mymaster", Set.of("127.0.0.1:1"))) {};
        assertThatThrownBy(() -> new BlockingClientAdapter(
                        subclass, least -> new RequiredReplicas(least, Duration.ofMillis(150))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("'min-replicas' must be 0, and is 1 by default with Sentinel: 1, but ");
    }

    /** In a cluster, Jedis repeats a command whose connection has ended. The first one may have been executed. */
    @ParameterizedTest
    @ValueSource(strings = {"CLUSTERDOWN The cluster is down", "LOADING Redis is loading the dataset in memory"})
    void theRefusalOfARepeatedCommandDoesNotTellTheEffectOfTheFirst(String reply) {
        RedisConnection connection = refusing(reply);
        JedisConnectionFactory cluster =
                new JedisConnectionFactory(new RedisClusterConfiguration(Set.of("127.0.0.1:1"))) {
                    @Override
                    public RedisConnection getConnection() {
                        return connection;
                    }
                };
        JedisConnectionFactory single = new JedisConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", 1)) {
            @Override
            public RedisConnection getConnection() {
                return connection;
            }
        };
        assertThat(failureOf(cluster).effect()).isEqualTo(Effect.UNKNOWN);
        assertThat(failureOf(cluster)).hasMessage("Redis: " + reply);
        assertThat(failureOf(single).effect()).isEqualTo(Effect.NOT_DONE);
    }

    /** No command was sent. */
    @Test
    void aConnectionThatDoesNotOpenLeavesTheEffectKnown() {
        JedisConnectionFactory cluster =
                new JedisConnectionFactory(new RedisClusterConfiguration(Set.of("127.0.0.1:1"))) {
                    @Override
                    public RedisConnection getConnection() {
                        throw new RedisConnectionFailureException("refused");
                    }
                };
        assertThat(failureOf(cluster).effect()).isEqualTo(Effect.NOT_DONE);
    }

    private static BackendFailure failureOf(RedisConnectionFactory factory) {
        try (BlockingClientAdapter client =
                new BlockingClientAdapter(factory, least -> new RequiredReplicas(least, Duration.ofMillis(150)))) {
            return CancellableCall.<Long, Long>ofReply(
                            client.scripts().run(SCRIPT, new byte[][] {RedisKeys.bytes("key")}), answer -> answer)
                    .handle((answer, failure) -> (BackendFailure) failure)
                    .get(20, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException ex) {
            throw new AssertionError(ex);
        }
    }

    private static RedisConnection refusing(String reply) {
        RedisScriptingCommands scripts = proxy(RedisScriptingCommands.class, (proxy, method, arguments) -> {
            throw new RedisSystemException(reply, null);
        });
        return proxy(
                RedisConnection.class,
                (proxy, method, arguments) -> method.getName().equals("scriptingCommands") ? scripts : null);
    }

    private static BlockingClientAdapter confirming(RedisConnectionFactory factory) {
        return new BlockingClientAdapter(factory, least -> new RequiredReplicas(1, Duration.ofMillis(150)));
    }

    private RedisConnectionFactory factory() {
        RedisScriptingCommands scripts = proxy(RedisScriptingCommands.class, (proxy, method, arguments) -> {
            byte[][] keys = (byte[][]) arguments[3];
            if (new String(keys[0], StandardCharsets.UTF_8).equals("slow")) {
                slow.await();
            }
            return 1L;
        });
        RedisConnection connection = proxy(
                RedisConnection.class,
                (proxy, method, arguments) -> method.getName().equals("scriptingCommands") ? scripts : null);
        return proxy(RedisConnectionFactory.class, (proxy, method, arguments) -> connection);
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
