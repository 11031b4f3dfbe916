package io.leasehold.redis;

import static io.leasehold.contract.StoreClient.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.servers.redis.RedisCluster;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.SafetyFinding;
import io.leasehold.testsupport.FaultMode;
import io.leasehold.testsupport.FaultProxy;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    /** It is the first that an application logs about such a Redis. */
    @Test
    void aConnectionThatIsClosedEarlyNamesTheNextStep() {
        try (FaultProxy proxy = new FaultProxy(RedisServer.shared().port());
                RedisClient client = RedisClient.of(proxy.port());
                LockBackend backend = RedisLockBackend.of(client.factory(), RedisLockOptions.defaults())) {
            proxy.set(FaultMode.RESET);
            assertThat(backend.inspect().toCompletableFuture())
                    .failsWithin(Duration.ofSeconds(20))
                    .withThrowableThat()
                    .withMessageContaining("whether the server expects TLS");
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

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            yes | role: is 'replica', so no lock can be taken here
            no  | role: is 'replica', and 'replica-read-only' is 'no', so locks are granted here that are held at the master
            """)
    void aReplicaIsReported(String readOnly, String finding) {
        try (RedisServer redis = RedisServer.startDurable();
                RedisServer replica = RedisServer.startDurable(
                        "replicaof 127.0.0.1 " + redis.port(), "replica-read-only " + readOnly);
                RedisClient client = RedisClient.of(replica.port())) {
            assertThat(findings(client, null)).singleElement().asString().startsWith(finding);
        }
    }

    /** An active replica of KeyDB executes writes itself, and replicates them to the others afterwards. */
    @Test
    void aServerBesideWhichAnotherOneGrantsLocksIsReported() {
        Properties keyDb = new Properties();
        keyDb.setProperty("role", "active-replica");
        assertThat(RedisInspection.findings(keyDb))
                .singleElement()
                .asString()
                .startsWith("role: is 'active-replica', so another server of KeyDB may grant a lock that is held here");
    }

    @ParameterizedTest
    @CsvSource({"1,1,0", "1,2,0", "1,3,2", "2,3,0", "1,4,2", "2,4,0", "2,5,3"})
    void aMajorityOfAllServersHasToConfirm(int least, int connected, int needed) {
        Properties master = new Properties();
        master.setProperty("connected_slaves", String.valueOf(connected));
        List<SafetyFinding> findings = RedisInspection.replicaFindings(master, least);
        if (needed == 0) {
            assertThat(findings).isEmpty();
        } else {
            assertThat(findings)
                    .singleElement()
                    .hasToString("min-replicas: is " + least + " of " + connected + ", and that is no majority with the"
                            + " master, so after a fail-over a lock may have two holders. Set 'lock.redis.min-replicas'"
                            + " to " + needed);
        }
    }

    private static List<SafetyFinding> findings(RedisClient client, @Nullable Integer replicas) {
        try (LockBackend backend = RedisLockBackend.of(
                client.factory(), RedisLockOptions.defaults().withMinReplicas(replicas))) {
            return await(backend.inspect());
        }
    }
}
