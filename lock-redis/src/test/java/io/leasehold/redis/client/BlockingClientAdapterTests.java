package io.leasehold.redis.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.redis.RedisLockBackend;
import io.leasehold.redis.client.RedisScript.Answer;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.PropertyAccessorFactory;
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
