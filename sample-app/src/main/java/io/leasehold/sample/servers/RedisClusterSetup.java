package io.leasehold.sample.servers;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Makes a Redis Cluster of servers that run: the first three share the slots, each of the others follows one of them. */
record RedisClusterSetup(List<Integer> ports) {

    static final int MASTERS = 3;

    private static final String HOST = "127.0.0.1";

    private static final int SLOTS = 16_384;

    void run() throws Exception {
        RedisClient client = RedisClient.create();
        try {
            List<RedisCommands<String, String>> nodes = new ArrayList<>();
            for (int port : ports) {
                nodes.add(client.connect(RedisURI.create(HOST, port)).sync());
            }
            join(nodes);
        } finally {
            client.shutdown();
        }
    }

    private void join(List<RedisCommands<String, String>> nodes) throws Exception {
        for (int port : ports) {
            nodes.get(0).clusterMeet(HOST, port);
        }
        for (int i = 0; i < MASTERS; i++) {
            nodes.get(i)
                    .clusterAddSlots(IntStream.range(i * SLOTS / MASTERS, (i + 1) * SLOTS / MASTERS)
                            .toArray());
        }
        Patience.until("the cluster's masters", () -> nodes.stream().allMatch(this::knowsAll));
        for (int i = MASTERS; i < nodes.size(); i++) {
            nodes.get(i).clusterReplicate(nodes.get(i % MASTERS).clusterMyId());
        }
        Patience.until(
                "the cluster's replicas",
                () -> nodes.stream().allMatch(this::knowsWhoFollows)
                        && nodes.stream().limit(MASTERS).allMatch(master -> master.waitForReplication(1, 1000) == 1));
    }

    private boolean knowsAll(RedisCommands<String, String> node) {
        String info = node.clusterInfo();
        return info.contains("cluster_known_nodes:" + ports.size())
                && info.contains("cluster_state:ok")
                && info.contains("cluster_slots_ok:" + SLOTS);
    }

    private boolean knowsWhoFollows(RedisCommands<String, String> node) {
        long replicas = node.clusterNodes()
                .lines()
                .filter(line -> line.contains("slave"))
                .count();
        return knowsAll(node) && replicas == ports.size() - MASTERS;
    }
}
