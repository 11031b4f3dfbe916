package io.leasehold.redis;

import static io.leasehold.contract.StoreClient.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.servers.redis.RedisCluster;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A Redis Cluster behind one address, and a client that is configured for a single Redis. */
class HiddenClusterTests {

    private static final int MANY = 64;

    private final RedisServer redis = RedisServer.startDurable("cluster-enabled yes");

    private final RedisClient client = RedisClient.of(redis.port());

    private final LockBackend backend = RedisLockBackend.of(client.factory(), RedisLockOptions.defaults());

    private final StoreClient store = new StoreClient(backend, "hidden");

    @BeforeEach
    void takeAllSlots() {
        redis.command("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
        Awaitility.await()
                .until(() -> String.valueOf(redis.command("CLUSTER", "INFO")).contains("cluster_state:ok"));
    }

    @AfterEach
    void close() {
        backend.close();
        client.close();
        redis.close();
    }

    @Test
    void locksOfManyCallersAreAcquiredAndReleased() {
        store.release(store.grant("warm-up"));
        for (int round = 0; round < 5; round++) {
            List<AcquireCommand> commands = IntStream.range(0, MANY)
                    .mapToObj(i -> new AcquireCommand(store.id("k" + i), store.token(), StoreClient.LONG, 1, true))
                    .toList();
            List<CompletionStage<AcquireAnswer>> asked = new ArrayList<>();
            commands.forEach(command -> asked.add(backend.acquire(command)));
            asked.forEach(answer -> assertThat(await(answer)).isInstanceOf(Granted.class));
            List<CompletionStage<ReleaseAnswer>> released = new ArrayList<>();
            commands.forEach(
                    command -> released.add(backend.release(new ReleaseCommand(command.id(), command.token()))));
            released.forEach(answer -> assertThat(await(answer)).isEqualTo(ReleaseAnswer.RELEASED));
        }
    }

    @Test
    void locksThatAreHeldAreRenewed() {
        List<RenewCommand> renewals = IntStream.range(0, MANY)
                .mapToObj(i -> store.grant("k" + i))
                .map((Held held) -> new RenewCommand(held.id(), held.token(), StoreClient.LONG))
                .toList();
        assertThat(await(backend.renew(renewals))).hasSize(MANY).containsOnly(RenewAnswer.RENEWED);
        assertThat(await(backend.renew(renewals))).hasSize(MANY).containsOnly(RenewAnswer.RENEWED);
    }

    /** More than one script renews. No script of a single lease, which a cluster would accept, is among them. */
    @Test
    void locksOfSeveralBatchesAreRenewed() {
        List<RenewCommand> renewals = IntStream.range(0, Renewals.BATCH + 2)
                .mapToObj(i -> store.grant("k" + i))
                .map((Held held) -> new RenewCommand(held.id(), held.token(), StoreClient.LONG))
                .toList();
        assertThat(await(backend.renew(renewals))).hasSize(renewals.size()).containsOnly(RenewAnswer.RENEWED);
    }

    @Test
    void theInspectionReportsTheCluster() {
        assertThat(await(backend.inspect()))
                .singleElement()
                .asString()
                .startsWith("cluster-enabled: is 'yes', and the client takes it for a single Redis");
    }

    /** There is no grace period in a cluster, because the record of the master is in another slot than the lock. */
    @Test
    void locksThatReplicasConfirmAreAcquired() {
        try (RedisCluster cluster = RedisCluster.start(3, 1);
                RedisClient direct = RedisClient.of(cluster.masterOf("hidden:a").port());
                LockBackend replicated = RedisLockBackend.of(
                        direct.factory(), RedisLockOptions.defaults().withMinReplicas(1))) {
            StoreClient locks = new StoreClient(replicated, "hidden");
            assertThat(locks.release(locks.grant("a"))).isEqualTo(ReleaseAnswer.RELEASED);
        }
    }
}
