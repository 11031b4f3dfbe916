package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.contract.StoreClient;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The record of a new master, which processes share that require different numbers of replicas. */
@Tag("slow")
class GracePeriodRecordTests {

    private static final Duration PERIOD = Duration.ofSeconds(3);

    private static final Duration LONG = Duration.ofHours(1);

    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private static final String NO_DELAY = "repl-diskless-sync-delay 0";

    private final List<RedisServer> replicas = new ArrayList<>();

    private RedisServer master;

    @BeforeEach
    void start() {
        master = RedisServer.start(NO_DELAY);
        connectReplica();
    }

    @AfterEach
    void stop() {
        replicas.forEach(RedisServer::close);
        master.close();
    }

    /** One replica of the new master says nothing about a lease that two others confirmed for the former master. */
    @Test
    void thePeriodBeginsAgainForAProcessThatRequiresMoreReplicas() {
        try (Process one = new Process(1, PERIOD);
                Process two = new Process(2, PERIOD)) {
            one.acquire("a");
            long beganAfter = System.nanoTime();
            connectReplica();
            two.tryAcquire("first");
            assertThat(one.tryAcquire("c")).isInstanceOf(Granted.class);
            two.acquire("b");
            assertThat(System.nanoTime() - beganAfter).isGreaterThan(PERIOD.toNanos());
        }
    }

    @Test
    void aProcessThatRequiresFewerReplicasKeepsTheRecord() {
        connectReplica();
        try (Process one = new Process(1, PERIOD);
                Process two = new Process(2, PERIOD)) {
            two.acquire("a");
            Object record = master.command("GET", "leasehold-master");
            assertThat(one.tryAcquire("b")).isInstanceOf(Granted.class);
            assertThat(master.command("GET", "leasehold-master")).isEqualTo(record);
        }
    }

    @Test
    void aRecordWithoutANumberOfReplicasProvesNothing() {
        try (Process one = new Process(1, LONG)) {
            one.tryAcquire("a");
            String id =
                    String.valueOf(master.command("GET", "leasehold-master")).split(" ")[0];
            long longAgo = (System.currentTimeMillis() - 2 * LONG.toMillis()) * 1000;
            master.command("SET", "leasehold-master", id + " " + longAgo);
            assertThat(one.tryAcquire("b")).isInstanceOf(Busy.class);
        }
    }

    private void connectReplica() {
        replicas.add(RedisServer.start(NO_DELAY, "replicaof 127.0.0.1 " + master.port()));
        await().atMost(DEADLINE).until(() -> master.hasReplicas(replicas.size()));
    }

    private final class Process implements AutoCloseable {

        private final RedisClient client = RedisClient.of(master.port());

        private final LockBackend backend;

        private final StoreClient store;

        Process(int minReplicas, Duration gracePeriod) {
            backend = RedisLockBackend.of(
                    client.factory(),
                    RedisLockOptions.defaults().withMinReplicas(minReplicas).withGracePeriod(gracePeriod));
            store = new StoreClient(backend, "deploy");
        }

        /** The first answer. */
        AcquireAnswer tryAcquire(String key) {
            return await().atMost(DEADLINE).ignoreExceptions().until(() -> ask(key), answer -> true);
        }

        /** Acquires a lock, after any number of other answers. */
        void acquire(String key) {
            await().atMost(DEADLINE).ignoreExceptions().until(() -> ask(key), Granted.class::isInstance);
        }

        private AcquireAnswer ask(String key) {
            return StoreClient.await(
                    backend.acquire(new AcquireCommand(store.id(key), store.token(), StoreClient.LONG, 1, false)));
        }

        @Override
        public void close() {
            backend.close();
            client.close();
        }
    }
}
