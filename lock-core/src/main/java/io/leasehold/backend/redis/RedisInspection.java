package io.leasehold.backend.redis;

import io.leasehold.spi.SafetyFinding;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Looks at a Redis for what may cost it a lock: eviction, no persistence, being a replica. */
final class RedisInspection {

    private static final SafetyFinding UNSEEN = new SafetyFinding(
            "user",
            "may not run INFO, so nobody knows whether this Redis removes keys when it is full or forgets them when it"
                    + " restarts",
            "Grant the user of locks '+info'");

    private RedisInspection() {}

    static CompletableFuture<List<SafetyFinding>> of(RedisConnectionFactory factory, RedisLink link) {
        CompletableFuture<List<SafetyFinding>> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> inspect(factory, link, result), "lock-redis-inspect");
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    private static void inspect(
            RedisConnectionFactory factory, RedisLink link, CompletableFuture<List<SafetyFinding>> result) {
        try (RedisConnection connection = factory.getConnection()) {
            Properties info = connection.serverCommands().info();
            result.complete(info == null ? List.of() : ofAll(RedisNodeInfo.split(info), link));
        } catch (Throwable ex) {
            if (RedisFailures.isNotPermitted(ex)) {
                result.complete(List.of(UNSEEN));
                return;
            }
            result.completeExceptionally(RedisFailures.of(ex));
        }
    }

    private static List<SafetyFinding> ofAll(List<RedisNodeInfo> nodes, RedisLink link) {
        int least = link.minReplicas(nodes.stream().anyMatch(RedisNodeInfo::isReplica));
        List<SafetyFinding> findings = new ArrayList<>();
        for (RedisNodeInfo node : nodes) {
            if (nodes.size() == 1 || !node.isReplica()) {
                findings(node.info()).forEach(finding -> findings.add(node.named(finding)));
                ReplicaFindings.of(node.info(), least).forEach(finding -> findings.add(node.named(finding)));
            }
        }
        return findings;
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
