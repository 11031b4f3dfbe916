package io.leasehold.redis;

import io.lettuce.core.RedisException;
import io.lettuce.core.cluster.models.partitions.Partitions;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode.NodeFlag;
import java.util.function.BiConsumer;

/** The connections to the masters of a cluster. Lettuce opens each when it is first used, while somebody waits for it. */
final class NodeConnections {

    private NodeConnections() {}

    /**
     * Opens them; those that cannot be opened now are opened when they are used.
     *
     * @param open opens a connection to a host and port
     */
    static void openAll(Partitions nodes, BiConsumer<String, Integer> open) {
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
}
