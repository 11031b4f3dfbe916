package io.leasehold.faults;

import io.leasehold.backend.redis.RedisLockOptions;
import io.leasehold.backend.redis.RedisQuorumNode;
import io.leasehold.backend.redlock.RedlockLockBackend;
import io.leasehold.backend.redlock.RedlockLockOptions;
import io.leasehold.backend.redlock.RedlockNode;
import io.leasehold.testsupport.QuietLog;
import io.leasehold.testsupport.RedisServer;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** A quorum of three Redis servers that keep nothing on disk; each case concerns one, two or all of them. */
class RedlockFaultMatrixTests extends FaultMatrixContract {

    private static final ClientResources RESOURCES = ClientResources.create();

    @AfterAll
    static void close() {
        QuietLog quiet = new QuietLog("io.netty");
        RESOURCES.shutdown().awaitUninterruptibly();
        quiet.close();
    }

    @Override
    BreakableStore store() {
        return new RedlockStore();
    }

    private static final class RedlockStore extends BreakableStore {

        private static final Duration NODE_TIMEOUT = Duration.ofMillis(200);

        private final List<RedisServer> servers =
                Stream.generate(RedisServer::start).limit(3).toList();

        @Override
        String name() {
            return "redlock";
        }

        @Override
        List<Integer> ports() {
            return servers.stream().map(RedisServer::port).toList();
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
                        "127.0.0.1:" + port, new RedisQuorumNode(factory, RedisLockOptions.defaults(), false)));
            }
            RedlockLockOptions options = new RedlockLockOptions(NODE_TIMEOUT, ttl());
            return new Connection(
                    new RedlockLockBackend(nodes, options, System::nanoTime),
                    () -> factories.forEach(LettuceConnectionFactory::destroy));
        }

        /** A server that was restarted has no vote for the longest ttl, which it counts in whole seconds. */
        @Override
        Duration recovery() {
            return ttl().multipliedBy(2).plusSeconds(2);
        }

        @Override
        Set<ServerFault> serverFaults() {
            return Set.of(ServerFault.PAUSE, ServerFault.KILL_AND_FORGET);
        }

        @Override
        boolean mayLoseGrants(FaultCase plan) {
            return false;
        }

        @Override
        void strike(ServerFault fault, List<Integer> nodes) {
            for (int node : nodes) {
                if (fault == ServerFault.PAUSE) {
                    servers.get(node).pause();
                } else {
                    servers.get(node).kill();
                }
            }
        }

        @Override
        void heal(ServerFault fault, List<Integer> nodes) {
            for (int node : nodes) {
                if (fault == ServerFault.PAUSE) {
                    servers.get(node).resume();
                } else {
                    servers.get(node).restartEmpty();
                }
            }
        }

        @Override
        public void close() {
            servers.forEach(RedisServer::close);
        }
    }
}
