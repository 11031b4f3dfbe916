package io.leasehold.faults;

import io.leasehold.redis.RedisLockBackend;
import io.leasehold.redis.RedisLockOptions;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.LockId;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Redis servers with failover. They write every change to disk, and replicas confirm leases. */
abstract class ReplicatedStore extends BreakableStore {

    private static final Duration REPLICA_TIMEOUT = Duration.ofMillis(200);

    abstract List<RedisServer> servers();

    abstract RedisConfiguration configuration();

    abstract RedisServer masterOf(LockId id);

    /** Waits until all servers agree on the master, and replicas are in sync. */
    abstract void awaitSteady();

    @Override
    final Optional<String> keptFor(LockId id) {
        return KeptLock.tokenIn(masterOf(id), id);
    }

    @Override
    final List<Integer> ports() {
        return servers().stream().map(RedisServer::port).toList();
    }

    @Override
    final Connection connect(List<Integer> ports) {
        ProxiedNodes nodes = new ProxiedNodes(ports(), ports);
        ClientResources resources = nodes.resources();
        LettuceConnectionFactory factory = nodes.connect(configuration(), resources);
        RedisLockOptions options = RedisLockOptions.defaults().withReplicaTimeout(REPLICA_TIMEOUT);
        return new Connection(RedisLockBackend.of(factory, options), () -> {
            factory.destroy();
            resources.shutdown();
        });
    }

    @Override
    final Set<ServerFault> serverFaults() {
        return ServerFault.WITH_DATA;
    }

    /** A replica that is promoted may lack a renewal. */
    @Override
    final boolean mayEndLocks(FaultCase plan) {
        return super.mayEndLocks(plan) || plan.server() != null;
    }

    @Override
    final void strike(ServerFault fault, List<Integer> nodes) {
        for (int node : nodes) {
            if (fault.pauses()) {
                servers().get(node).pause();
            } else {
                servers().get(node).kill();
            }
        }
    }

    @Override
    final void heal(ServerFault fault, List<Integer> nodes) {
        for (int node : nodes) {
            if (fault.pauses()) {
                servers().get(node).resume();
            } else {
                servers().get(node).restart();
            }
        }
        awaitSteady();
    }
}
