package io.leasehold.faults;

import io.leasehold.redis.RedisLockOptions;
import io.leasehold.redis.RedisQuorumNode;
import io.leasehold.redlock.RedlockLockBackend;
import io.leasehold.redlock.RedlockLockOptions;
import io.leasehold.redlock.RedlockNode;
import io.leasehold.servers.redis.RedisServer;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** A quorum of three Redis servers that write every change to disk. Each case affects one, two or all of them. */
class RedlockFaultMatrixTests extends FaultMatrixContract {

    private static final ClientResources RESOURCES = ClientResources.create();

    @Override
    BreakableStore store() {
        return new RedlockStore();
    }

    private static final class RedlockStore extends BreakableStore {

        private static final Duration NODE_TIMEOUT = Duration.ofMillis(200);

        private static final Duration LONGEST_TTL = Duration.ofMinutes(5);

        private final List<RedisServer> servers =
                Stream.generate(() -> RedisServer.startDurable()).limit(3).toList();

        @Override
        String name() {
            return "redlock";
        }

        @Override
        List<Integer> ports() {
            return servers.stream().map(RedisServer::port).toList();
        }

        /** A quorum has confirmed; the other servers have the node timeout to do so. */
        @Override
        Duration releaseTail() {
            return NODE_TIMEOUT;
        }

        @Override
        Connection connect(List<Integer> ports) {
            List<LettuceConnectionFactory> factories = new ArrayList<>();
            List<RedlockNode> nodes = new ArrayList<>();
            for (int port : ports) {
                LettuceConnectionFactory factory = new LettuceConnectionFactory(
                        new RedisStandaloneConfiguration("127.0.0.1", port),
                        LettuceClientConfiguration.builder()
                                .clientResources(RESOURCES)
                                .build());
                factory.afterPropertiesSet();
                factory.start();
                factories.add(factory);
                nodes.add(new RedlockNode(
                        "127.0.0.1:" + port, new RedisQuorumNode(factory, RedisLockOptions.defaults(), true)));
            }
            RedlockLockOptions options = new RedlockLockOptions(NODE_TIMEOUT, LONGEST_TTL);
            return new Connection(
                    new RedlockLockBackend(nodes, options, System::nanoTime),
                    () -> factories.forEach(LettuceConnectionFactory::destroy));
        }

        @Override
        Set<ServerFault> serverFaults() {
            return ServerFault.WITH_DATA;
        }

        @Override
        void strike(ServerFault fault, List<Integer> nodes) {
            for (int node : nodes) {
                if (fault.pauses()) {
                    servers.get(node).pause();
                } else {
                    servers.get(node).kill();
                }
            }
        }

        @Override
        void heal(ServerFault fault, List<Integer> nodes) {
            for (int node : nodes) {
                if (fault.pauses()) {
                    servers.get(node).resume();
                } else {
                    servers.get(node).restart();
                }
            }
        }

        @Override
        public void close() {
            servers.forEach(server -> {
                server.resume();
                server.close();
            });
        }
    }
}
