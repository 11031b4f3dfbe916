package io.leasehold.redis.lettuce;

import io.leasehold.redis.client.RedisErrors;
import io.leasehold.redis.client.RequiredReplicas;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.Partitions;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode.NodeFlag;
import io.lettuce.core.codec.ByteArrayCodec;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Uses one {@link ReplicatedConnection} for each master of a cluster, so that a master whose replicas do not answer
 * delays no other master. It follows redirections itself, because the confirmation must come from the node that ran the
 * script.
 */
final class ClusterReplicatedConnection implements ReplicatedScriptExecutor.Connection {

    private final RedisClusterClient client;

    private final StatefulRedisClusterConnection<byte[], byte[]> cluster;

    private final RequiredReplicas required;

    private final Map<StatefulRedisConnection<byte[], byte[]>, ReplicatedConnection> connections =
            new ConcurrentHashMap<>();

    ClusterReplicatedConnection(
            RedisClusterClient client,
            StatefulRedisClusterConnection<byte[], byte[]> cluster,
            RequiredReplicas required) {
        this.client = client;
        this.cluster = cluster;
        this.required = required;
    }

    static ClusterReplicatedConnection open(RedisClusterClient client, IntFunction<RequiredReplicas> replicas) {
        StatefulRedisClusterConnection<byte[], byte[]> cluster = client.connect(ByteArrayCodec.INSTANCE);
        connectToAllMasters(cluster.getPartitions(), cluster::getConnection);
        boolean hasReplicas = cluster.getPartitions().stream().anyMatch(node -> node.is(NodeFlag.REPLICA));
        return new ClusterReplicatedConnection(client, cluster, replicas.apply(hasReplicas ? 1 : 0));
    }

    /** The number of connections that are kept. */
    int size() {
        return connections.size();
    }

    @Override
    public <T> void run(ReplicatedCall<T> call) {
        RedisClusterNode node = cluster.getPartitions().getMasterBySlot(SlotHash.getSlot(call.key()));
        if (node == null) {
            client.refreshPartitionsAsync();
            call.completeExceptionally(new IllegalStateException("CLUSTERDOWN no node serves this slot"));
            return;
        }
        send(call, Redirect.to(node.getUri().getHost(), node.getUri().getPort()));
    }

    private <T> void send(ReplicatedCall<T> call, Redirect target) {
        CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connecting;
        try {
            connecting = cluster.getConnectionAsync(target.host(), target.port());
        } catch (RuntimeException ex) {
            // the client does not know the node yet to which another one redirects
            client.refreshPartitionsAsync();
            call.completeExceptionally(RedisErrors.notConnected(ex));
            return;
        }
        connecting
                .thenCompose(connection -> connectionTo(connection).send(call, target.asking()))
                .whenComplete((sent, failure) -> {
                    Redirect next = failure == null ? null : target.next(failure);
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

    private ReplicatedConnection connectionTo(StatefulRedisConnection<byte[], byte[]> connection) {
        ReplicatedConnection known = connections.get(connection);
        if (known != null) {
            return known;
        }
        // the client closes the connections to nodes that have left the cluster, and opens those to new ones
        connections.keySet().removeIf(ClusterReplicatedConnection::isClosed);
        return connections.computeIfAbsent(
                connection, opened -> new ReplicatedConnection(opened, required, null, new RefusedHandshake()));
    }

    private static boolean isClosed(StatefulRedisConnection<?, ?> connection) {
        return connection instanceof RedisChannelHandler<?, ?> handler && handler.isClosed();
    }

    /**
     * Opens the connections to all masters. Otherwise Lettuce opens each connection at its first use, while a caller
     * waits. The connection to a master that is unreachable now is opened when it is used.
     */
    static void connectToAllMasters(Partitions nodes, BiConsumer<String, Integer> open) {
        for (RedisClusterNode node : nodes) {
            if (node.is(NodeFlag.UPSTREAM) && !node.hasNoSlots() && !node.is(NodeFlag.FAIL)) {
                openIfReachable(node, open);
            }
        }
    }

    private static void openIfReachable(RedisClusterNode node, BiConsumer<String, Integer> open) {
        try {
            open.accept(node.getUri().getHost(), node.getUri().getPort());
        } catch (RedisException unreachable) {
            return;
        }
    }

    /** The node of a cluster to which a script is sent, and the number of previous redirections. */
    private record Redirect(String host, int port, boolean asking, int count) {

        private static final int MOST = 5;

        static Redirect to(String host, int port) {
            return new Redirect(host, port, false, 0);
        }

        /** Returns the target of a redirection, or {@code null} if the error is none or the limit is reached. */
        @Nullable
        Redirect next(Throwable failure) {
            String[] words = RedisErrors.errorReply(failure).split(" ");
            boolean moved = words[0].equals("MOVED");
            if (count == MOST || words.length < 3 || !moved && !words[0].equals("ASK")) {
                return null;
            }
            int colon = words[2].lastIndexOf(':');
            String named = words[2].substring(0, colon);
            return new Redirect(
                    named.isEmpty() ? host : named, Integer.parseInt(words[2].substring(colon + 1)), !moved, count + 1);
        }
    }
}
