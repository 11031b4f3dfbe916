package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.servers.redis.RedisCluster;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.ReleaseAnswer;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import redis.clients.jedis.exceptions.JedisClusterOperationException;

/** The additional permissions of the documented user in a Redis Cluster. */
@Tag("slow")
class RedisClusterRightsTests {

    private static RedisCluster cluster;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start(3, 0);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theClientHasToSeeTheNodes(boolean lettuce) {
        RedisUser user = RedisUser.documented().with("+cluster|nodes");
        lockOnAllShards(lettuce ? user : user.with("+cluster|slots"), lettuce);
        assertThatThrownBy(() -> lockOnAllShards(RedisUser.documented(), lettuce))
                .isInstanceOfAny(AssertionError.class, CompletionException.class, JedisClusterOperationException.class);
    }

    @Test
    void withTheRightsToCommandsWithoutEffectNothingIsRefused() {
        cluster.nodes().forEach(node -> node.command("ACL", "LOG", "RESET"));
        lockOnAllShards(
                RedisUser.documented()
                        .with("+cluster|nodes")
                        .with("+cluster|myid")
                        .withCommandsWithoutEffect(cluster.nodes().get(0)),
                true);
        assertThat(cluster.nodes())
                .allSatisfy(
                        node -> assertThat((List<?>) node.command("ACL", "LOG")).isEmpty());
    }

    private static void lockOnAllShards(RedisUser user, boolean lettuce) {
        cluster.nodes().forEach(node -> user.create(node, "locks"));
        RedisClusterConfiguration configuration = new RedisClusterConfiguration();
        for (RedisServer node : cluster.nodes()) {
            configuration.clusterNode(node.host(), node.port());
        }
        configuration.setUsername("locks");
        configuration.setPassword("secret");
        if (lettuce) {
            LettuceConnectionFactory factory = new LettuceConnectionFactory(configuration);
            lockOnAllShards(factory, factory::afterPropertiesSet, factory::destroy);
        } else {
            JedisConnectionFactory factory = new JedisConnectionFactory(configuration);
            lockOnAllShards(factory, factory::afterPropertiesSet, factory::destroy);
        }
    }

    private static void lockOnAllShards(RedisConnectionFactory factory, Runnable start, Runnable stop) {
        start.run();
        try (LockBackend backend = RedisLocking.readyForWaiters(factory, RedisLockOptions.defaults())) {
            StoreClient client = new StoreClient(backend, "deploy");
            for (int i = 0; i < 50; i++) {
                Held held = client.grant("key-" + i);
                assertThat(client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
            }
        } finally {
            stop.run();
        }
    }
}
