package io.leasehold.faults;

import io.leasehold.servers.redis.RedisCluster;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.LockId;
import java.util.List;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;

/** A Redis Cluster of three masters with a replica each. Each case affects one to six of the nodes. */
class ClusterFaultMatrixTests extends FaultMatrixContract {

    @Override
    BreakableStore store() {
        return new ClusterStore();
    }

    private static final class ClusterStore extends ReplicatedStore {

        private final RedisCluster cluster = RedisCluster.start(3, 1, "appendonly yes", "appendfsync always");

        @Override
        String name() {
            return "redis-cluster";
        }

        @Override
        List<RedisServer> servers() {
            return cluster.nodes();
        }

        @Override
        RedisConfiguration configuration() {
            RedisClusterConfiguration configuration = new RedisClusterConfiguration();
            cluster.nodes().forEach(node -> configuration.clusterNode(node.host(), node.port()));
            return configuration;
        }

        @Override
        RedisServer masterOf(LockId id) {
            return cluster.masterOf(id.encoded());
        }

        @Override
        void awaitSteady() {
            cluster.awaitSteady();
        }

        @Override
        public void close() {
            cluster.nodes().forEach(RedisServer::resume);
            cluster.close();
        }
    }
}
