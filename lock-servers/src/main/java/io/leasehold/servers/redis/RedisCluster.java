package io.leasehold.servers.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/**
 * A Redis Cluster on the loopback interface: masters that share the slots evenly, and the same number of replicas for
 * each. The cluster declares a node dead after a second. The failure of a shard does not stop the others.
 */
public final class RedisCluster implements AutoCloseable {

    private static final int SLOTS = 16_384;

    private final List<RedisServer> nodes = new ArrayList<>();

    private RedisCluster(int masters, int replicasPerMaster, List<String> settings) {
        try {
            for (int i = 0; i < masters * (1 + replicasPerMaster); i++) {
                nodes.add(startNode(settings));
            }
            for (RedisServer node : nodes) {
                require(nodes.get(0), "CLUSTER", "MEET", "127.0.0.1", Integer.toString(node.port()));
            }
            for (int i = 0; i < masters; i++) {
                String first = Integer.toString(i * SLOTS / masters);
                String last = Integer.toString((i + 1) * SLOTS / masters - 1);
                require(nodes.get(i), "CLUSTER", "ADDSLOTSRANGE", first, last);
            }
            awaitThat(() -> nodes.stream().allMatch(this::knowsAll));
            for (int i = masters; i < nodes.size(); i++) {
                require(nodes.get(i), "CLUSTER", "REPLICATE", id(nodes.get(i % masters)));
            }
            awaitThat(() -> nodes.stream().allMatch(RedisCluster::isReady)
                    && nodes.stream().skip(masters).allMatch(RedisCluster::isLinked)
                    && nodes.stream().limit(masters).allMatch(master -> master.hasReplicas(replicasPerMaster)));
        } catch (RuntimeException ex) {
            close();
            throw ex;
        }
    }

    /**
     * Starts a cluster.
     *
     * @param masters the number of masters, at least three
     * @param replicasPerMaster the number of replicas of each master
     * @param settings further lines of redis.conf for all nodes
     * @return the cluster, with all slots served and all replicas in sync
     */
    public static RedisCluster start(int masters, int replicasPerMaster, String... settings) {
        return new RedisCluster(masters, replicasPerMaster, List.of(settings));
    }

    /** All nodes. The first ones were the masters at the start. */
    public List<RedisServer> nodes() {
        return List.copyOf(nodes);
    }

    /** The current masters. */
    public List<RedisServer> masters() {
        return nodes.stream()
                .filter(node -> String.valueOf(node.command("ROLE")).startsWith("[master"))
                .toList();
    }

    /** Returns the master that serves a key at the moment, according to a living node. */
    public RedisServer masterOf(String key) {
        RedisServer witness = nodes.stream()
                .filter(RedisCluster::answers)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no node of the cluster answers"));
        long slot = (Long) require(witness, "CLUSTER", "KEYSLOT", key);
        for (Object range : (List<?>) require(witness, "CLUSTER", "SLOTS")) {
            List<?> parts = (List<?>) range;
            if ((Long) parts.get(0) <= slot && slot <= (Long) parts.get(1)) {
                long port = (Long) ((List<?>) parts.get(2)).get(1);
                return nodes.stream()
                        .filter(node -> node.port() == port)
                        .findFirst()
                        .orElseThrow();
            }
        }
        throw new IllegalStateException("no node serves slot " + slot);
    }

    /** Waits until another node than the former master serves a key. Returns the new master. */
    public RedisServer awaitFailoverFrom(RedisServer former, String key) {
        awaitThat(() -> masterOf(key) != former && isReady(masterOf(key)));
        return masterOf(key);
    }

    /** Waits until all slots are served and all current masters have the same number of replicas in sync. */
    public void awaitSteady() {
        awaitThat(() -> {
            List<RedisServer> masters = masters();
            int replicas = nodes.size() / masters.size() - 1;
            return nodes.stream().allMatch(RedisCluster::isReady)
                    && nodes.stream().filter(node -> !masters.contains(node)).allMatch(RedisCluster::isLinked)
                    && masters.stream().allMatch(master -> master.hasReplicas(replicas));
        });
    }

    /** Starts to move the slot of a key to another master. The caller has to end the move. */
    public SlotMove move(String key, RedisServer to) {
        return new SlotMove(this, key, to);
    }

    /** Stops all nodes. */
    @Override
    public void close() {
        nodes.forEach(RedisServer::close);
    }

    private static RedisServer startNode(List<String> settings) {
        List<String> all = new ArrayList<>(List.of(
                "cluster-enabled yes",
                "cluster-node-timeout 1000",
                "cluster-require-full-coverage no",
                "repl-diskless-sync-delay 0"));
        all.addAll(settings);
        return RedisServer.start(all.toArray(String[]::new));
    }

    private boolean knowsAll(RedisServer node) {
        return info(node).contains("cluster_known_nodes:" + nodes.size()) && isReady(node);
    }

    private static boolean isReady(RedisServer node) {
        return info(node).contains("cluster_state:ok") && info(node).contains("cluster_slots_ok:" + SLOTS);
    }

    /** Whether a replica reports its link as up. Its master counts it only after the replica's first message. */
    private static boolean isLinked(RedisServer replica) {
        return String.valueOf(replica.command("INFO", "replication")).contains("master_link_status:up");
    }

    /** Whether a node answers within a second. */
    private static boolean answers(RedisServer node) {
        return node.isResponsive(Duration.ofSeconds(1));
    }

    private static String info(RedisServer node) {
        return String.valueOf(node.command("CLUSTER", "INFO"));
    }

    static String id(RedisServer node) {
        return String.valueOf(require(node, "CLUSTER", "MYID"));
    }

    static Object require(RedisServer node, String... command) {
        Object answer = node.command(command);
        if (answer == null || answer instanceof String error && error.startsWith("-")) {
            throw new IllegalStateException(String.join(" ", command) + " was answered with " + answer);
        }
        return answer;
    }

    private static void awaitThat(Callable<Boolean> condition) {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(50))
                .atMost(Duration.ofSeconds(60))
                .until(condition);
    }
}
