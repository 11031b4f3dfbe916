package io.leasehold.redis;

import static io.leasehold.contract.StoreClient.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.servers.redis.RedisCluster;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.SafetyFinding;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The findings about a Redis at start-up. */
class RedisInspectionTests {

    @Test
    void everyMasterOfAClusterIsInspected() {
        try (RedisCluster cluster = RedisCluster.start(3, 0);
                RedisClient client = RedisClient.of(cluster)) {
            assertThat(findings(client, null))
                    .hasSize(3)
                    .allMatch(finding -> finding.subject().endsWith("', appendonly"))
                    .allMatch(finding -> finding.subject().startsWith("node '127.0.0.1:"));
        }
    }

    @Test
    void aClusterWithReplicasAsksThemByDefault() {
        try (RedisCluster cluster = RedisCluster.start(3, 1);
                RedisClient client = RedisClient.of(cluster)) {
            assertThat(findings(client, null))
                    .hasSize(3)
                    .allMatch(finding -> finding.subject().endsWith("', appendonly"));
            assertThat(findings(client, 0))
                    .extracting(SafetyFinding::subject)
                    .filteredOn(subject -> subject.endsWith("', min-replicas"))
                    .hasSize(3);
        }
    }

    @Test
    void moreRequiredReplicasThanExistGrantNoLocks() {
        try (RedisServer redis = RedisServer.startDurable();
                RedisClient client = RedisClient.of(redis.port())) {
            assertThat(findings(client, 1))
                    .singleElement()
                    .asString()
                    .startsWith("min-replicas: is 1, and 0 replicas are connected, so no lock is granted");
        }
    }

    @Test
    void replicasThatDoNotConfirmAreReported() {
        try (RedisServer redis = RedisServer.startDurable();
                RedisServer replica = RedisServer.start("replicaof 127.0.0.1 " + redis.port());
                RedisClient client = RedisClient.of(redis.port())) {
            org.awaitility.Awaitility.await()
                    .until(() -> String.valueOf(replica.command("INFO", "replication"))
                            .contains("master_link_status:up"));
            assertThat(findings(client, null))
                    .singleElement()
                    .asString()
                    .startsWith("min-replicas: is 0, so a fail-over may forget locks that are held");
            assertThat(findings(client, 1)).isEmpty();
        }
    }

    private static List<SafetyFinding> findings(RedisClient client, @Nullable Integer replicas) {
        try (LockBackend backend = RedisLockBackend.of(
                client.factory(), RedisLockOptions.defaults().withMinReplicas(replicas))) {
            return await(backend.inspect());
        }
    }
}
