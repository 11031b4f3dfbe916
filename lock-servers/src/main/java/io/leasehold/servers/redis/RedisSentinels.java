package io.leasehold.servers.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/**
 * A master with replicas and three sentinels that monitor them, on the loopback interface. The sentinels declare a
 * master dead after a second and then take about a second to promote a replica.
 */
public final class RedisSentinels implements AutoCloseable {

    /** The name of the master in the sentinels' configuration. */
    public static final String MASTER_NAME = "main";

    private static final int SENTINELS = 3;

    private static final int QUORUM = 2;

    private final List<RedisServer> servers = new ArrayList<>();

    private final List<RedisServer> sentinels = new ArrayList<>();

    private RedisSentinels(int replicas, List<String> settings) {
        try {
            List<String> all = new ArrayList<>(settings);
            all.add("repl-diskless-sync-delay 0");
            servers.add(RedisServer.start(all.toArray(String[]::new)));
            all.add("replicaof 127.0.0.1 " + servers.get(0).port());
            IntStream.range(0, replicas).forEach(i -> servers.add(RedisServer.start(all.toArray(String[]::new))));
            IntStream.range(0, SENTINELS)
                    .forEach(i -> sentinels.add(startSentinel(servers.get(0).port())));
            awaitReady(replicas);
        } catch (RuntimeException ex) {
            close();
            throw ex;
        }
    }

    /**
     * Starts all servers and sentinels.
     *
     * @param replicas the number of replicas
     * @param settings further lines of redis.conf for the master and its replicas
     * @return the set-up, with all replicas in sync and all sentinels aware of each other
     */
    public static RedisSentinels start(int replicas, String... settings) {
        return new RedisSentinels(replicas, List.of(settings));
    }

    /** The ports of the sentinels. */
    public List<Integer> sentinelPorts() {
        return sentinels.stream().map(RedisServer::port).toList();
    }

    /** All servers that store data. The first one was the master at the start. */
    public List<RedisServer> servers() {
        return List.copyOf(servers);
    }

    /** The master according to the sentinels at the moment. */
    public RedisServer master() {
        int port = masterPort();
        return servers.stream()
                .filter(server -> server.port() == port)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the sentinels name an unknown master at " + port));
    }

    /** The servers that are not the master according to the sentinels at the moment. */
    public List<RedisServer> replicas() {
        int port = masterPort();
        return servers.stream().filter(server -> server.port() != port).toList();
    }

    /** Waits until all sentinels report another master than the former one, and it accepts writes. Returns it. */
    public RedisServer awaitFailoverFrom(RedisServer former) {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(50))
                .atMost(Duration.ofSeconds(30))
                .until(() -> sentinels.stream().map(this::masterPort).distinct().count() == 1
                        && masterPort() != former.port()
                        && String.valueOf(master().command("ROLE")).startsWith("[master"));
        return master();
    }

    /** Has the sentinels promote this replica, also if its data are older than those of others. */
    public void prefer(RedisServer replica) {
        replica.command("CONFIG", "SET", "replica-priority", "1");
        // a sentinel reads the priority every ten seconds otherwise
        sentinels.get(0).command("SENTINEL", "DEBUG", "INFO-PERIOD", "500");
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> String.valueOf(sentinels.get(0).command("SENTINEL", "REPLICAS", MASTER_NAME))
                        .contains("slave-priority, 1,"));
    }

    /** Separates a replica from the master for good. Both still work, and the sentinels reach both. */
    public void disconnect(RedisServer replica) {
        master().command("ACL", "SETUSER", "default", "-psync", "-sync");
        replica.command("CLIENT", "KILL", "TYPE", "master");
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> info(replica).contains("master_link_status:down"));
    }

    /**
     * Has the sentinels replace the master, which does not learn it: it still answers as a master, without replicas.
     * The sentinels may not demote it, as if the network had separated it from them. Needs two replicas, so that the
     * new master has one.
     *
     * @return the former master
     */
    public RedisServer depose() {
        RedisServer former = master();
        former.command("ACL", "SETUSER", "default", "-replicaof", "-slaveof");
        sentinels.get(0).command("SENTINEL", "FAILOVER", MASTER_NAME);
        RedisServer present = awaitFailoverFrom(former);
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> present.hasReplicas(1));
        return former;
    }

    /** Waits until all sentinels report the same master, and all other servers are its replicas and in sync. */
    public void awaitSteady() {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(100))
                .atMost(Duration.ofSeconds(90))
                .ignoreExceptions()
                .until(() -> sentinels.stream().map(this::masterPort).distinct().count() == 1
                        && replicas().stream()
                                .map(RedisSentinels::info)
                                .allMatch(info -> info.contains("role:slave")
                                        && info.contains("master_port:" + masterPort())
                                        && info.contains("master_link_status:up"))
                        && master().hasReplicas(replicas().size()));
    }

    /** Stops all servers and sentinels. */
    @Override
    public void close() {
        sentinels.forEach(RedisServer::close);
        servers.forEach(RedisServer::close);
    }

    private static RedisServer startSentinel(int masterPort) {
        return RedisServer.startSentinel(
                "sentinel monitor " + MASTER_NAME + " 127.0.0.1 " + masterPort + " " + QUORUM,
                "sentinel down-after-milliseconds " + MASTER_NAME + " 1000",
                "sentinel failover-timeout " + MASTER_NAME + " 3000");
    }

    private void awaitReady(int replicas) {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(50))
                .atMost(Duration.ofSeconds(30))
                .until(() -> sentinels.stream().allMatch(sentinel -> knows(sentinel, replicas))
                        && servers.stream()
                                .skip(1)
                                .allMatch(replica -> info(replica).contains("master_link_status:up"))
                        && servers.get(0).hasReplicas(replicas));
    }

    private static boolean knows(RedisServer sentinel, int replicas) {
        String info = String.valueOf(sentinel.command("INFO", "sentinel"));
        return info.contains("status=ok")
                && info.contains("slaves=" + replicas + ",")
                && info.contains("sentinels=" + SENTINELS);
    }

    private static String info(RedisServer server) {
        return String.valueOf(server.command("INFO", "replication"));
    }

    private int masterPort() {
        return masterPort(sentinels.get(0));
    }

    private int masterPort(RedisServer sentinel) {
        Object answer = sentinel.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER_NAME);
        if (answer instanceof List<?> address) {
            return Integer.parseInt(String.valueOf(address.get(1)));
        }
        throw new IllegalStateException("the sentinel names no master: " + answer);
    }
}
