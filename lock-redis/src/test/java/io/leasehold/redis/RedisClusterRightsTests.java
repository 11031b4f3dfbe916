package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.servers.redis.RedisCluster;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.ReleaseAnswer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

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

    @Test
    void theClientHasToSeeTheNodes() {
        lockOnAllShards(RedisUser.documented().with("+cluster|nodes"));
        assertThatThrownBy(() -> lockOnAllShards(RedisUser.documented())).isInstanceOf(AssertionError.class);
    }

    private static void lockOnAllShards(RedisUser user) {
        cluster.nodes().forEach(node -> user.create(node, "locks"));
        RedisClusterConfiguration configuration = new RedisClusterConfiguration();
        for (RedisServer node : cluster.nodes()) {
            configuration.clusterNode(node.host(), node.port());
        }
        configuration.setUsername("locks");
        configuration.setPassword("secret");
        LettuceConnectionFactory factory = new LettuceConnectionFactory(configuration);
        factory.afterPropertiesSet();
        factory.start();
        try (LockBackend backend = RedisLockBackend.of(factory, RedisLockOptions.defaults())) {
            StoreClient client = new StoreClient(backend, "deploy");
            for (int i = 0; i < 50; i++) {
                Held held = client.grant("key-" + i);
                assertThat(client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
            }
        } finally {
            factory.destroy();
        }
    }
}
