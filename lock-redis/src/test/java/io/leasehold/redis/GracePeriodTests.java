package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockHandle;
import io.leasehold.contract.StoreClient;
import io.leasehold.engine.LockerSettings;
import io.leasehold.servers.redis.RedisSentinels;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockBackend;
import io.leasehold.testsupport.FailingLog;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** A master that was promoted or restarted may lack leases. It grants no lock until they have ended. */
@Tag("slow")
class GracePeriodTests {

    private static final Duration TTL = Duration.ofSeconds(12);

    private static final Duration SHORT_TTL = Duration.ofSeconds(3);

    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private final RedisSentinels sentinels = RedisSentinels.start(2, "appendonly yes", "appendfsync always");

    @AfterEach
    void close() {
        sentinels.close();
    }

    @Test
    void aPromotedReplicaThatLacksALeaseGrantsTheLockWhenTheLeaseHasEnded() {
        assertThat(isGrantedWhileHeld(null, false, TTL)).isFalse();
    }

    /** It has no record of a former master. */
    @Test
    void aPromotedReplicaWithoutAnyDataGrantsTheLockWhenTheLeaseHasEnded() {
        assertThat(isGrantedWhileHeld(null, true, TTL)).isFalse();
    }

    /** The tests above can fail. The lease lasts longer than a failover of a busy machine. */
    @Test
    void withoutAGracePeriodTheLockHasTwoHolders() {
        assertThat(isGrantedWhileHeld(Duration.ZERO, false, DEADLINE)).isTrue();
    }

    @Test
    void aLockIsGrantedWhenItsTtlHasPassedSinceARestart() {
        try (Process process = new Process(null)) {
            process.acquire("a", SHORT_TTL);
            long beganAfter = System.nanoTime();
            restart(sentinels.master());
            process.acquire("b", SHORT_TTL);
            assertThat(System.nanoTime() - beganAfter).isGreaterThan(SHORT_TTL.toNanos());
            assertThat(process.tryAcquire("c", SHORT_TTL)).isInstanceOf(Granted.class);
        }
    }

    @Test
    void aLogThatFailsRefusesNoAnswer() {
        try (Process process = new Process(null)) {
            process.acquire("a", SHORT_TTL);
            restart(sentinels.master());
            FailingLog.during(
                    () -> assertThat(process.tryAcquire("b", SHORT_TTL)).isInstanceOf(Busy.class));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void thePeriodHasPassedBeforeTheFirstRequestLongAfterARestart(boolean lettuce) {
        restart(sentinels.master());
        sentinels.awaitSteady();
        Pattern age = Pattern.compile("age=(\\d+)");
        await().atMost(DEADLINE).untilAsserted(() -> {
            String replicas = String.valueOf(sentinels.master().command("CLIENT", "LIST", "TYPE", "replica"));
            assertThat(age.matcher(replicas).results())
                    .isNotEmpty()
                    .allMatch(each -> Long.parseLong(each.group(1)) > SHORT_TTL.toSeconds() + 2);
        });
        long requestedAt = System.currentTimeMillis();
        try (Process process = new Process(null, lettuce)) {
            // a process that is busy may not hear in time how long the replicas have been connected, and asks again
            process.acquire("a", SHORT_TTL);
        }
        String record = String.valueOf(sentinels.master().command("GET", "leasehold-master"));
        long beganAt = Long.parseLong(record.substring(record.indexOf(':') + 1)) / 1000;
        assertThat(beganAt).isLessThan(requestedAt - SHORT_TTL.toMillis());
    }

    /** Before that, they may confirm leases of the former master. */
    @Test
    void thePeriodBeginsWhenEnoughReplicasHaveConnected() {
        try (Process process = new Process(null)) {
            process.acquire("a", SHORT_TTL);
            RedisServer master = sentinels.master();
            String record = String.valueOf(master.command("GET", "leasehold-master"));
            sentinels.replicas().forEach(RedisServer::pause);
            restart(master);
            await().atMost(DEADLINE)
                    .untilAsserted(() -> assertThatThrownBy(() -> process.ask("b", SHORT_TTL))
                            .hasStackTraceContaining("0 of 1 replicas are connected to the new master"));
            assertThat(master.command("GET", "leasehold-master")).isEqualTo(record);
            sentinels.replicas().forEach(RedisServer::resume);
            sentinels.awaitSteady();
            process.acquire("b", SHORT_TTL);
            assertThat(master.command("GET", "leasehold-master")).isNotEqualTo(record);
        }
    }

    /** Otherwise no lock would be granted until the clock has caught up. */
    @Test
    void thePeriodBeginsAgainWhenTheClockIsSetBack() {
        try (Process process = new Process(null)) {
            process.acquire("a", SHORT_TTL);
            RedisServer master = sentinels.master();
            String record = String.valueOf(master.command("GET", "leasehold-master"));
            String id = record.substring(0, record.indexOf(' '));
            long inAnHour = (System.currentTimeMillis() + 3_600_000) * 1000;
            master.command("SET", "leasehold-master", id + " 1:" + inAnHour);
            process.acquire("b", SHORT_TTL);
        }
    }

    /** Promotes a replica that lacks a lease. The other replica has confirmed it. */
    private boolean isGrantedWhileHeld(@Nullable Duration gracePeriod, boolean empty, Duration ttl) {
        LockerSettings settings = LockerSettings.of("deploy").withTtl(ttl).withCommandTimeout(Duration.ofSeconds(1));
        try (RedisLocking here = new RedisLocking(
                RedisClient.of(sentinels), settings, RedisLockOptions.defaults().withGracePeriod(Duration.ZERO))) {
            RedisServer lacking = sentinels.replicas().get(0);
            if (empty) {
                sentinels.disconnect(lacking);
                lacking.kill();
                lacking.restartEmpty();
                sentinels.prefer(lacking);
            } else {
                // not promoted if it has been disconnected for more than ten seconds
                sentinels.prefer(lacking);
                sentinels.disconnect(lacking);
            }
            LockHandle lease = here.locker().lock("a");
            assertThat(lacking.command("EXISTS", "deploy:a")).isEqualTo(0L);
            sentinels.depose();
            assertThat(sentinels.master()).isSameAs(lacking);
            try (Process elsewhere = new Process(gracePeriod)) {
                elsewhere.acquire("a", ttl);
                return lease.isHeld();
            }
        }
    }

    private static void restart(RedisServer server) {
        server.kill();
        server.restart();
    }

    private final class Process implements AutoCloseable {

        private final RedisClient client = RedisClient.of(sentinels);

        private final JedisConnectionFactory jedis = new JedisConnectionFactory(RedisClient.configuration(sentinels));

        private final LockBackend backend;

        private final StoreClient store;

        Process(@Nullable Duration gracePeriod) {
            this(gracePeriod, true);
        }

        Process(@Nullable Duration gracePeriod, boolean lettuce) {
            if (!lettuce) {
                jedis.afterPropertiesSet();
                jedis.start();
            }
            backend = RedisLockBackend.of(
                    lettuce ? client.factory() : jedis,
                    RedisLockOptions.defaults().withGracePeriod(gracePeriod));
            store = new StoreClient(backend, "deploy");
        }

        /** The first answer. */
        AcquireAnswer tryAcquire(String key, Duration ttl) {
            return await().atMost(DEADLINE).ignoreExceptions().until(() -> ask(key, ttl), answer -> true);
        }

        /** Acquires a lock, after any number of other answers. */
        void acquire(String key, Duration ttl) {
            await().atMost(DEADLINE).ignoreExceptions().until(() -> ask(key, ttl), Granted.class::isInstance);
        }

        private AcquireAnswer ask(String key, Duration ttl) {
            return StoreClient.await(backend.acquire(new AcquireCommand(store.id(key), store.token(), ttl, 1, false)));
        }

        @Override
        public void close() {
            backend.close();
            client.close();
            jedis.destroy();
        }
    }
}
