package io.leasehold.redis.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.redis.client.RedisScript;
import io.leasehold.redis.client.RedisScript.Confirmation;
import io.leasehold.redis.client.RequiredReplicas;
import io.leasehold.servers.redis.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.Partitions;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode.NodeFlag;
import io.lettuce.core.codec.ByteArrayCodec;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A cluster of one master, which moves to another address, as in a container that is replaced. */
class ClusterReplicatedConnectionTests {

    private static final RedisScript SCRIPT = RedisScript.of(
            RedisScript.class,
            "/io/leasehold/redis/instance_name.lua",
            RedisScript.Answer.BYTES,
            reply -> Confirmation.DENIAL);

    private final RedisClient client =
            RedisClient.create("redis://127.0.0.1:" + RedisServer.shared().port());

    private final RedisClusterClient clusterClient = RedisClusterClient.create("redis://127.0.0.1:1");

    private final Map<String, StatefulRedisConnection<byte[], byte[]>> byAddress = new ConcurrentHashMap<>();

    private String master = "";

    private final ClusterReplicatedConnection connection =
            new ClusterReplicatedConnection(clusterClient, cluster(), new RequiredReplicas(1, Duration.ofMillis(100)));

    @AfterEach
    void close() {
        client.shutdown();
        clusterClient.shutdown();
    }

    @Test
    void theConnectionsToMastersThatAreGoneAreForgotten() {
        for (int move = 0; move < 3; move++) {
            master = "10.0.0." + move;
            ask();
            ask();
            assertThat(connection.size()).isOne();
            byAddress.get(master).close();
        }
    }

    @Test
    void theConnectionsToAllMastersAreKept() {
        master = "10.0.0.1";
        ask();
        master = "10.0.0.2";
        ask();
        assertThat(connection.size()).isEqualTo(2);
    }

    private void ask() {
        ReplicatedCall<byte[]> call =
                new ReplicatedCall<>(SCRIPT, new byte[][] {"leasehold-instance-1".getBytes()}, new byte[0][]);
        connection.run(call);
        assertThat(call).succeedsWithin(Duration.ofSeconds(30));
    }

    @SuppressWarnings("unchecked")
    private StatefulRedisClusterConnection<byte[], byte[]> cluster() {
        return (StatefulRedisClusterConnection<byte[], byte[]>) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {StatefulRedisClusterConnection.class},
                (self, method, arguments) -> method.getName().equals("getPartitions")
                        ? partitions()
                        : CompletableFuture.completedFuture(byAddress.computeIfAbsent(
                                (String) arguments[0], any -> client.connect(ByteArrayCodec.INSTANCE))));
    }

    private Partitions partitions() {
        List<Integer> slots = IntStream.range(0, SlotHash.SLOT_COUNT).boxed().toList();
        Partitions partitions = new Partitions();
        partitions.add(new RedisClusterNode(
                RedisURI.create(master, 6379), "id", true, null, 0, 0, 0, slots, Set.of(NodeFlag.UPSTREAM)));
        partitions.updateCache();
        return partitions;
    }
}
