package io.leasehold.redis;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode.NodeFlag;
import io.lettuce.core.codec.ByteArrayCodec;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A {@link ReplicatedLane} for each master of a cluster, so that one whose replicas do not answer holds up no other. It
 * follows redirections itself, since the confirmation has to come from the node that ran the script.
 */
final class ClusterLane implements LettuceLane {

    private final RedisClusterClient client;

    private final StatefulRedisClusterConnection<byte[], byte[]> cluster;

    private final Replicas required;

    private final Map<String, ReplicatedLane> lanes = new ConcurrentHashMap<>();

    private ClusterLane(
            RedisClusterClient client, StatefulRedisClusterConnection<byte[], byte[]> cluster, Replicas required) {
        this.client = client;
        this.cluster = cluster;
        this.required = required;
    }

    static ClusterLane open(RedisClusterClient client, RedisLockOptions options) {
        StatefulRedisClusterConnection<byte[], byte[]> cluster = client.connect(ByteArrayCodec.INSTANCE);
        NodeConnections.openAll(cluster.getPartitions(), cluster::getConnection);
        boolean hasReplicas = cluster.getPartitions().stream().anyMatch(node -> node.is(NodeFlag.REPLICA));
        return new ClusterLane(client, cluster, options.replicas(hasReplicas ? 1 : 0));
    }

    @Override
    public <T> void run(ReplicatedCall<T> call) {
        RedisClusterNode node = cluster.getPartitions().getMasterBySlot(SlotHash.getSlot(call.key()));
        if (node == null) {
            client.refreshPartitionsAsync();
            call.completeExceptionally(new IllegalStateException("CLUSTERDOWN no node serves this slot"));
            return;
        }
        send(call, Redirection.to(node.getUri().getHost(), node.getUri().getPort()));
    }

    private <T> void send(ReplicatedCall<T> call, Redirection target) {
        cluster.getConnectionAsync(target.host(), target.port())
                .thenCompose(connection -> lane(target, connection).send(call, target.asking()))
                .whenComplete((sent, failure) -> {
                    Redirection next = failure == null ? null : target.next(failure);
                    if (next != null) {
                        if (!next.asking()) {
                            client.refreshPartitionsAsync();
                        }
                        send(call, next);
                    } else if (failure != null) {
                        call.completeExceptionally(failure);
                    }
                });
    }

    private ReplicatedLane lane(Redirection target, StatefulRedisConnection<byte[], byte[]> connection) {
        return lanes.compute(
                target.host() + ":" + target.port(),
                (name, lane) ->
                        lane != null && lane.isOn(connection) ? lane : new ReplicatedLane(connection, required));
    }
}
