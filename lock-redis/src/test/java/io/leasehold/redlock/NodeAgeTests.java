package io.leasehold.redlock;

import static io.leasehold.contract.StoreClient.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.redis.RedisLockOptions;
import io.leasehold.redis.RedisQuorumNode;
import io.leasehold.servers.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;

/** F44: a restarted node does not claim to remember the time before, in any part of a second. */
class NodeAgeTests {

    private static final int STARTS = 8;

    @Test
    void noNodeRemembersMoreThanItsAge() throws Exception {
        List<Node> nodes = new ArrayList<>();
        try {
            for (int i = 0; i < STARTS; i++) {
                nodes.add(Node.start());
                TimeUnit.MILLISECONDS.sleep(130);
            }
            for (int look = 0; look < 30; look++) {
                for (Node node : nodes) {
                    Duration memory = await(node.store().serverIdentity()).uptime();
                    Duration age = Duration.ofNanos(System.nanoTime() - node.startedAt());
                    assertThat(memory).isBetween(Duration.ZERO, age);
                }
                TimeUnit.MILLISECONDS.sleep(70);
            }
            assertThat(await(nodes.get(0).store().serverIdentity()).uptime())
                    .isGreaterThanOrEqualTo(Duration.ofSeconds(1));
        } finally {
            nodes.forEach(Node::close);
        }
    }

    private record Node(RedisServer server, RedisQuorumNode store, long startedAt) {

        static Node start() {
            long startedAt = System.nanoTime();
            RedisServer server = RedisServer.start();
            RedisQuorumNode store = RedisQuorumNode.of(
                    new RedisStandaloneConfiguration("127.0.0.1", server.port()),
                    LettuceClientConfiguration.defaultConfiguration(),
                    RedisLockOptions.defaults(),
                    false);
            return new Node(server, store, startedAt);
        }

        void close() {
            store.close();
            server.close();
        }
    }
}
