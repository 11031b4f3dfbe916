package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.contract.StoreClient;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.SafetyFinding;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The time of a Redis, and the check of the claim that it keeps every write. */
class RedisClaimTests {

    private static final String CLAIM = "persists-every-write";

    @Test
    void aServerThatKeepsItsWritesConfirmsTheClaim() {
        try (RedisServer server = RedisServer.startDurable()) {
            assertThat(findings(server, true)).isEmpty();
        }
    }

    @Test
    void aServerThatLosesWritesRefutesTheClaim() {
        try (RedisServer server = RedisServer.start("appendonly yes", "appendfsync everysec")) {
            assertThat(findings(server, true)).singleElement().satisfies(finding -> {
                assertThat(finding.subject()).isEqualTo(CLAIM);
                assertThat(finding.finding()).contains("'appendfsync everysec'");
            });
            assertThat(findings(server, false)).isEmpty();
        }
    }

    /** Redis then forces nothing to the disk while it saves a snapshot or rewrites its log. */
    @Test
    void aServerThatLosesWritesOfARewriteRefutesTheClaim() {
        try (RedisServer server =
                RedisServer.start("appendonly yes", "appendfsync always", "no-appendfsync-on-rewrite yes")) {
            assertThat(findings(server, true))
                    .singleElement()
                    .asString()
                    .startsWith(CLAIM + ": is claimed, but the server has")
                    .contains("'no-appendfsync-on-rewrite yes'")
                    .contains("'no-appendfsync-on-rewrite no'");
        }
    }

    @Test
    void aClaimThatCannotBeCheckedIsReported() {
        try (RedisServer server = RedisServer.start("appendonly yes", "rename-command CONFIG \"\"")) {
            assertThat(findings(server, true)).singleElement().satisfies(finding -> {
                assertThat(finding.subject()).isEqualTo(CLAIM);
                assertThat(finding.finding()).contains("cannot be checked");
            });
        }
    }

    /** The property that a finding about replicas would name does not apply to nodes of a quorum. */
    @Test
    void replicasOfANodeAreNotReported() {
        try (RedisServer server = RedisServer.startDurable();
                RedisServer replica = RedisServer.start("replicaof 127.0.0.1 " + server.port())) {
            await().atMost(Duration.ofSeconds(40))
                    .until(() -> String.valueOf(replica.command("INFO", "replication"))
                            .contains("master_link_status:up"));
            assertThat(findings(server, true)).isEmpty();
        }
    }

    @Test
    void aServerReportsItsTime() {
        try (RedisClient client = RedisClient.of(RedisServer.shared().port());
                LockBackend backend = RedisLockBackend.of(client.factory(), RedisLockOptions.defaults())) {
            long before = System.currentTimeMillis();
            long told = StoreClient.await(backend.clockMillis()).orElseThrow();
            assertThat(told).isBetween(before - 1, System.currentTimeMillis() + 1);
        }
    }

    private static List<SafetyFinding> findings(RedisServer server, boolean claim) {
        try (RedisClient client = RedisClient.of(server.port());
                RedisQuorumNode node = new RedisQuorumNode(client.factory(), RedisLockOptions.defaults(), claim)) {
            return StoreClient.await(node.inspect());
        }
    }
}
