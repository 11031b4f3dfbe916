package io.leasehold.redlock;

import static io.leasehold.contract.StoreClient.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.redis.RedisLockOptions;
import io.leasehold.redis.RedisQuorumNode;
import io.leasehold.servers.redis.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    /**
     * Redis then reports a negative uptime. The embedded server is linked statically, so that its clock cannot be moved:
     * the scripts read such a report instead of that of the server.
     */
    @ParameterizedTest
    @CsvSource({"vote.lua, 2, age:it {age:it}:fence token 60000 1 60000 1", "identity.lua, 0,"})
    void aNodeWhoseClockWasSetBackToBeforeItsStartAnswers(String script, String keys, @Nullable String keysAndArguments)
            throws Exception {
        String source =
                new String(RedisQuorumNode.class.getResourceAsStream(script).readAllBytes(), StandardCharsets.UTF_8);
        String setBack =
                source.replace("redis.call('INFO', 'server')", "'run_id:a\\r\\nuptime_in_seconds:-3600\\r\\n'");
        assertThat(setBack).isNotEqualTo(source);
        List<String> command = new ArrayList<>(List.of("EVAL", setBack, keys));
        if (keysAndArguments != null) {
            command.addAll(List.of(keysAndArguments.split(" ")));
        }
        assertThat(String.valueOf(RedisServer.shared().command(command.toArray(String[]::new))))
                .matches("\\d+ \\d+ a -3600 0");
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
