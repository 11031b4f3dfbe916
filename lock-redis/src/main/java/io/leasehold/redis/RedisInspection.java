package io.leasehold.redis;

import io.leasehold.redis.client.RedisClientAdapter;
import io.leasehold.redis.client.RedisErrors;
import io.leasehold.spi.SafetyFinding;
import io.leasehold.support.DaemonThreads;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.core.types.RedisClientInfo;

/**
 * Checks a Redis for conditions that may lose locks: eviction, missing persistence, missing replicas, the role of a
 * replica.
 */
final class RedisInspection {

    private static final SafetyFinding UNSEEN = new SafetyFinding(
            "user",
            "may not run INFO, or this Redis has it under another name, so eviction policy and persistence of this Redis"
                    + " cannot be checked",
            "Grant the user of locks '+info', or see yourself that the server has 'maxmemory-policy noeviction' and"
                    + " 'appendonly yes'");

    private static final SafetyFinding HIDDEN_CLUSTER = new SafetyFinding(
            "cluster-enabled",
            "is 'yes', and the client takes it for a single Redis: each lock is renewed by a command of its own, and locks"
                    + " whose master is another node cannot be taken",
            "Set spring.data.redis.cluster.nodes, so that the client knows the cluster");

    /** Without the last one, Redis forces nothing to the disk while it saves a snapshot or rewrites its log. */
    private static final String EVERY_WRITE =
            "'appendonly yes', 'appendfsync always' and 'no-appendfsync-on-rewrite no'";

    /** The age of a connection is the difference of two times in whole seconds, of which one may be late. */
    private static final long AGE_ERROR_SECONDS = 2;

    private RedisInspection() {}

    static CompletableFuture<List<SafetyFinding>> of(RedisClientAdapter client) {
        return ofNodes(client, nodes -> {
            List<SafetyFinding> findings = new ArrayList<>(findings(nodes, RedisInspection::findings));
            int least = client.minReplicas(nodes.stream().anyMatch(NodeInfo::tellsOfReplicas));
            findings.addAll(findings(nodes, info -> replicaFindings(info, least)));
            return findings;
        });
    }

    /** Checks a node of a quorum. It does not fail over, so that its replicas, if it has any, confirm nothing. */
    static CompletableFuture<List<SafetyFinding>> ofQuorumNode(RedisClientAdapter client) {
        return ofNodes(client, nodes -> findings(nodes, RedisInspection::findings));
    }

    private static CompletableFuture<List<SafetyFinding>> ofNodes(
            RedisClientAdapter client, Function<List<NodeInfo>, List<SafetyFinding>> check) {
        return ask(client, List.of(UNSEEN), connection -> {
            Properties info = connection.serverCommands().info();
            if (info == null) {
                return List.of();
            }
            List<NodeInfo> nodes = NodeInfo.split(info);
            List<SafetyFinding> findings = new ArrayList<>();
            if (!client.isCluster() && nodes.stream().anyMatch(NodeInfo::isInCluster)) {
                findings.add(HIDDEN_CLUSTER);
            }
            findings.addAll(check.apply(nodes));
            return findings;
        });
    }

    /** Checks a server that is configured to write every change to disk before it answers. */
    static CompletableFuture<List<SafetyFinding>> ofPersistence(RedisClientAdapter client) {
        return ask(client, List.of(UNSEEN), connection -> {
            try {
                Properties settings = connection.serverCommands().getConfig("*append*");
                return settings == null ? unknownPersistence("no answer") : persistence(settings);
            } catch (DataAccessException ex) {
                return unknownPersistence(ex.getMostSpecificCause().getMessage());
            }
        });
    }

    static CompletableFuture<OptionalLong> clockMillis(RedisClientAdapter client) {
        return ask(client, OptionalLong.empty(), connection -> {
            Long millis = connection.serverCommands().time();
            return millis == null ? OptionalLong.empty() : OptionalLong.of(millis);
        });
    }

    /**
     * Returns the replication id of the master, and for how many seconds at least as many replicas as must confirm
     * leases have been connected to it. Empty if there are fewer, or if the user may not ask.
     */
    static CompletableFuture<String> connectedReplicas(RedisClientAdapter client) {
        return ask(client, "", connection -> {
            String id = replicationId(connection);
            Optional<Long> age = connection.serverCommands().getClientList().stream()
                    .filter(RedisInspection::confirms)
                    .map(RedisClientInfo::getAge)
                    .sorted(Comparator.reverseOrder())
                    .skip(client.minReplicas(true) - 1)
                    .findFirst();
            // the client may have connected to another server in between
            return age.isPresent() && id.equals(replicationId(connection))
                    ? id + " " + Math.max(0, age.get() - AGE_ERROR_SECONDS)
                    : "";
        });
    }

    /** Whether a client is a replica. A tool that reads a copy of the data also has the flag, and never confirms. */
    private static boolean confirms(RedisClientInfo client) {
        return String.valueOf(client.getFlags()).contains("S")
                && String.valueOf(client.getLastCommand()).startsWith("replconf");
    }

    private static String replicationId(RedisConnection connection) {
        Properties info = connection.serverCommands().info("replication");
        return info == null ? "" : info.getProperty("master_replid", "");
    }

    private static <T> CompletableFuture<T> ask(
            RedisClientAdapter client, T ifNotAvailable, Function<RedisConnection, T> question) {
        CompletableFuture<T> result = new CompletableFuture<>();
        DaemonThreads.named("lock-redis-inspect")
                .newThread(() -> answer(client, ifNotAvailable, question, result))
                .start();
        return result;
    }

    private static <T> void answer(
            RedisClientAdapter client,
            T ifNotAvailable,
            Function<RedisConnection, T> question,
            CompletableFuture<T> result) {
        try (RedisConnection connection = client.connectionFactory().getConnection()) {
            result.complete(question.apply(connection));
        } catch (Throwable ex) {
            if (RedisErrors.isNotAvailable(ex)) {
                result.complete(ifNotAvailable);
                return;
            }
            result.completeExceptionally(
                    ex instanceof RedisConnectionFailureException ? RedisErrors.notConnected(ex) : RedisErrors.of(ex));
        }
    }

    private static List<SafetyFinding> findings(List<NodeInfo> nodes, Function<Properties, List<SafetyFinding>> check) {
        return nodes.stream()
                .filter(node -> nodes.size() == 1 || !node.isReplica())
                .flatMap(node -> check.apply(node.info()).stream().map(node::named))
                .toList();
    }

    private static List<SafetyFinding> persistence(Properties settings) {
        String appendOnly = settings.getProperty("appendonly", "unknown");
        String flush = settings.getProperty("appendfsync", "unknown");
        String flushLater = settings.getProperty("no-appendfsync-on-rewrite", "unknown");
        return appendOnly.equals("yes") && flush.equals("always") && flushLater.equals("no")
                ? List.of()
                : List.of(new SafetyFinding(
                        "persists-every-write",
                        "is claimed, but the server has 'appendonly " + appendOnly + "', 'appendfsync " + flush
                                + "' and 'no-appendfsync-on-rewrite " + flushLater
                                + "', so that after a crash it votes for a lock that it has forgotten",
                        "Set " + EVERY_WRITE + ", or take the claim back"));
    }

    private static List<SafetyFinding> unknownPersistence(@Nullable String why) {
        return List.of(new SafetyFinding(
                "persists-every-write",
                "is claimed, and cannot be checked: " + why,
                "Allow CONFIG GET, or see yourself that the server has " + EVERY_WRITE));
    }

    static List<SafetyFinding> findings(Properties info) {
        List<SafetyFinding> findings = new ArrayList<>();
        String policy = info.getProperty("maxmemory_policy", "noeviction");
        if (!policy.equals("noeviction") && !info.getProperty("maxmemory", "0").equals("0")) {
            findings.add(new SafetyFinding(
                    "maxmemory-policy",
                    "is '" + policy + "', so Redis may remove a lock that is held when its memory is full",
                    "Set it to 'noeviction', or give locks a Redis of their own"));
        }
        if (info.getProperty("aof_enabled", "1").equals("0")) {
            findings.add(new SafetyFinding(
                    "appendonly",
                    "is 'no', so a restart of Redis loses the locks of the last moments, or all of them",
                    "Set 'appendonly yes' if a restart must not free a lock that is held"));
        }
        if (info.getProperty("role", "master").equals("slave")) {
            findings.add(new SafetyFinding(
                    "role",
                    info.getProperty("slave_read_only", "1").equals("1")
                            ? "is 'replica', so no lock can be taken here"
                            : "is 'replica', and 'replica-read-only' is 'no', so locks are granted here that are held at the"
                                    + " master",
                    "Connect to the master, through Sentinel or Cluster if there is one"));
        }
        if (info.getProperty("role", "master").equals("active-replica")) {
            findings.add(
                    new SafetyFinding(
                            "role",
                            "is 'active-replica', so another server of KeyDB may grant a lock that is held here",
                            "Use one server without 'active-replica', or several independent ones with 'lock.backend: redlock'"));
        }
        return findings;
    }

    static List<SafetyFinding> replicaFindings(Properties master, int least) {
        List<SafetyFinding> findings = new ArrayList<>();
        int connected = Integer.parseInt(master.getProperty("connected_slaves", "0"));
        if (connected < least) {
            findings.add(new SafetyFinding(
                    "min-replicas",
                    "is " + least + ", and " + connected
                            + " replicas are connected, so no lock is granted, and those that"
                            + " are held are lost when their ttl is over",
                    "See why the replicas are away, or lower 'lock.redis.min-replicas'"));
        }
        if (least == 0 && connected > 0) {
            findings.add(new SafetyFinding(
                    "min-replicas",
                    "is 0, so a fail-over may forget locks that are held, although there are " + connected
                            + " replicas",
                    "Set 'lock.redis.min-replicas' to 1 or more"));
        }
        int majority = (connected + 1) / 2;
        if (least > 0 && least < majority) {
            findings.add(new SafetyFinding(
                    "min-replicas",
                    "is " + least + " of " + connected + ", and that is no majority with the master, so after a"
                            + " fail-over a lock may have two holders",
                    "Set 'lock.redis.min-replicas' to " + majority));
        }
        return findings;
    }

    /** The INFO properties of one server. The name is empty if there is only one server. */
    private record NodeInfo(String name, Properties info) {

        private static final Pattern OF_NODE = Pattern.compile("(.+:\\d+)\\.(\\w+)");

        /**
         * Splits the combined answer of all nodes, in which spring-data-redis prefixes each property with the name of
         * its node.
         */
        static List<NodeInfo> split(Properties all) {
            Map<String, Properties> byNode = new TreeMap<>();
            for (String key : all.stringPropertyNames()) {
                Matcher ofNode = OF_NODE.matcher(key);
                boolean named = ofNode.matches();
                byNode.computeIfAbsent(named ? ofNode.group(1) : "", name -> new Properties())
                        .setProperty(named ? ofNode.group(2) : key, all.getProperty(key));
            }
            List<NodeInfo> nodes = new ArrayList<>();
            byNode.forEach((name, info) -> nodes.add(new NodeInfo(name, info)));
            return nodes;
        }

        boolean isInCluster() {
            return info.getProperty("cluster_enabled", "0").equals("1");
        }

        boolean isReplica() {
            return info.getProperty("role", "master").equals("slave");
        }

        /** Whether the node is a replica, or a master with a replica. Not all clients query the replicas. */
        boolean tellsOfReplicas() {
            return isReplica() || !info.getProperty("connected_slaves", "0").equals("0");
        }

        SafetyFinding named(SafetyFinding finding) {
            return name.isEmpty()
                    ? finding
                    : new SafetyFinding(
                            "node '" + name + "', " + finding.subject(), finding.finding(), finding.nextStep());
        }
    }
}
