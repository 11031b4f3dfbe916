package io.leasehold.redis;

import io.leasehold.spi.SafetyFinding;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Looks at a Redis for what may cost it a lock: eviction, no persistence, being a replica. */
final class RedisInspection {

    private static final SafetyFinding UNSEEN = new SafetyFinding(
            "user",
            "may not run INFO, so nobody knows whether this Redis removes keys when it is full or forgets them when it"
                    + " restarts",
            "Grant the user of locks '+info'");

    private static final SafetyFinding HIDDEN_CLUSTER = new SafetyFinding(
            "cluster-enabled",
            "is 'yes', and the client takes it for a single Redis: each lock is renewed by a command of its own, and locks"
                    + " whose master is another node cannot be taken",
            "Set spring.data.redis.cluster.nodes, so that the client knows the cluster");

    private RedisInspection() {}

    static CompletableFuture<List<SafetyFinding>> of(RedisConnectionFactory factory, RedisLink link) {
        return ask(factory, List.of(UNSEEN), connection -> {
            Properties info = connection.serverCommands().info();
            return info == null ? List.of() : ofAll(RedisNodeInfo.split(info), link);
        });
    }

    /** What is to be said of a server of which somebody claims that it has every write on disk before it answers. */
    static CompletableFuture<List<SafetyFinding>> ofPersistence(RedisConnectionFactory factory) {
        return ask(factory, List.of(UNSEEN), connection -> {
            try {
                Properties settings = connection.serverCommands().getConfig("append*");
                return settings == null ? unknownPersistence("no answer") : persistence(settings);
            } catch (DataAccessException ex) {
                return unknownPersistence(ex.getMostSpecificCause().getMessage());
            }
        });
    }

    static CompletableFuture<OptionalLong> clockMillis(RedisConnectionFactory factory) {
        return ask(factory, OptionalLong.empty(), connection -> {
            Long millis = connection.serverCommands().time();
            return millis == null ? OptionalLong.empty() : OptionalLong.of(millis);
        });
    }

    private static <T> CompletableFuture<T> ask(
            RedisConnectionFactory factory, T ifNotPermitted, Function<RedisConnection, T> question) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> answer(factory, ifNotPermitted, question, result), "lock-redis-inspect");
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    private static <T> void answer(
            RedisConnectionFactory factory,
            T ifNotPermitted,
            Function<RedisConnection, T> question,
            CompletableFuture<T> result) {
        try (RedisConnection connection = factory.getConnection()) {
            result.complete(question.apply(connection));
        } catch (Throwable ex) {
            if (RedisFailures.isNotPermitted(ex)) {
                result.complete(ifNotPermitted);
                return;
            }
            result.completeExceptionally(RedisFailures.of(ex));
        }
    }

    private static List<SafetyFinding> ofAll(List<RedisNodeInfo> nodes, RedisLink link) {
        List<SafetyFinding> findings = new ArrayList<>();
        if (!link.isCluster()
                && nodes.stream()
                        .anyMatch(node ->
                                node.info().getProperty("cluster_enabled", "0").equals("1"))) {
            findings.add(HIDDEN_CLUSTER);
        }
        int least = link.minReplicas(nodes.stream().anyMatch(RedisNodeInfo::tellsOfReplicas));
        for (RedisNodeInfo node : nodes) {
            if (nodes.size() == 1 || !node.isReplica()) {
                findings(node.info()).forEach(finding -> findings.add(node.named(finding)));
                ReplicaFindings.of(node.info(), least).forEach(finding -> findings.add(node.named(finding)));
            }
        }
        return findings;
    }

    private static List<SafetyFinding> persistence(Properties settings) {
        String appendOnly = settings.getProperty("appendonly", "unknown");
        String flush = settings.getProperty("appendfsync", "unknown");
        return appendOnly.equals("yes") && flush.equals("always")
                ? List.of()
                : List.of(new SafetyFinding(
                        "persists-every-write",
                        "is claimed, but the server has 'appendonly " + appendOnly + "' and 'appendfsync " + flush
                                + "', so that after a crash it votes for a lock that it has forgotten",
                        "Set 'appendonly yes' and 'appendfsync always', or take the claim back"));
    }

    private static List<SafetyFinding> unknownPersistence(@Nullable String why) {
        return List.of(new SafetyFinding(
                "persists-every-write",
                "is claimed, and cannot be checked: " + why,
                "Allow CONFIG GET, or see yourself that the server has 'appendonly yes' and 'appendfsync always'"));
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
                    "is 'replica', so no lock can be taken here",
                    "Connect to the master, through Sentinel or Cluster if there is one"));
        }
        return findings;
    }
}
