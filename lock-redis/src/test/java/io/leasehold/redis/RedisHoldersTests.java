package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.ForcedRelease;
import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LockRequest;
import io.leasehold.LockState;
import io.leasehold.LockState.Held;
import io.leasehold.LockState.Kind;
import io.leasehold.contract.StoreClient;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.Instance;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The holder of a lock in Redis, as another process reads it. Recording it adds no cost to the operations on locks. */
class RedisHoldersTests {

    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private static final String GRANTED_TO =
            "orders@host-1:11, thread " + Thread.currentThread().getId();

    private static final LockerSettings SETTINGS = LockerSettings.of("deploy")
            .withTtl(Duration.ofSeconds(30))
            .withWaitTime(DEADLINE)
            .withForceRelease(true);

    private final RedisServer redis = RedisServer.shared();

    private final RedisClient client = RedisClient.of(redis.port());

    private final Process here = new Process("orders@host-1:11");

    private final Process there = new Process("billing@host-2:22");

    @BeforeEach
    void flush() {
        redis.command("FLUSHALL");
        here.warmUp();
        there.warmUp();
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
        client.close();
    }

    @Test
    void theOtherProcessReadsWhoHasTheLockAndSinceWhen() {
        Instant before = Instant.now().minusSeconds(2);
        LockHandle lock = here.locker.lock("x");
        Held state = there.describe("x");
        assertThat(state.kind()).isEqualTo(Kind.HOLDER);
        assertThat(state.holder()).isEqualTo(GRANTED_TO);
        assertThat(state.since()).isBetween(before, Instant.now().plusSeconds(2));
        assertThat(state.remaining()).isPositive();
        assertThat(state.fencingToken().orElseThrow()).isGreaterThanOrEqualTo(lock.fencingToken());
        lock.close();
        assertThat(there.state("x")).isInstanceOf(LockState.Free.class);
    }

    @Test
    void theHolderIsKnownAfterARenewalAndAfterAHandOver() {
        LockHandle first = here.locker.lock("x");
        first.renew();
        assertThat(there.describe("x").holder()).isEqualTo(GRANTED_TO);
        CompletableFuture<LockHandle> next = here.lockAsync("x");
        await().atMost(DEADLINE).until(() -> here.locker.status().waiting() == 1);
        first.close();
        LockHandle second =
                next.orTimeout(DEADLINE.toSeconds(), TimeUnit.SECONDS).join();
        assertThat(there.describe("x").holder()).startsWith("orders@host-1:11");
        assertThat(here.describe("x").fencingToken()).hasValue(second.fencingToken());
        second.close();
    }

    @Test
    void aForeignHolderIsShownAsSuch() {
        redis.command("SET", "deploy:x", "somebody else's \n value", "PX", "60000");
        redis.command("SET", "deploy:for-ever", "value");
        redis.command("HSET", "deploy:hash", "field", "value");
        assertThat(there.describe("x")).satisfies(state -> {
            assertThat(state.kind()).isEqualTo(Kind.FOREIGN);
            assertThat(state.holder()).isNull();
            assertThat(state.since()).isNull();
            assertThat(state.remaining()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(60));
        });
        assertThat(there.describe("for-ever").remaining()).isNull();
        assertThat(there.describe("hash").kind()).isEqualTo(Kind.FOREIGN);
    }

    /** Each refused caller asks for the holder, on the connection of all locks. */
    @Test
    void aLongValueOfAForeignHolderIsNotSent() {
        int length = 8_000_000;
        redis.command("SETRANGE", "deploy:long", Integer.toString(length), "x");
        long before = bytesSent();
        assertThat(there.describe("long").kind()).isEqualTo(Kind.FOREIGN);
        assertThat(bytesSent() - before).isLessThan(length);
    }

    private long bytesSent() {
        return String.valueOf(redis.command("INFO", "stats"))
                .lines()
                .filter(line -> line.startsWith("total_net_output_bytes:"))
                .mapToLong(line ->
                        Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
                .findFirst()
                .orElseThrow();
    }

    /** As redis-py and node-redlock write it. The fence is that of a former holder. */
    @Test
    void anotherLibrarysTokenIsForeign() {
        here.locker.lock("x").close();
        redis.command("SET", "deploy:x", "0123456789abcdef0123456789abcdef", "PX", "60000");
        assertThat(there.describe("x")).satisfies(state -> {
            assertThat(state.kind()).isEqualTo(Kind.FOREIGN);
            assertThat(state.since()).isNull();
            assertThat(state.fencingToken()).isEmpty();
        });
    }

    @Test
    void aRecordedNameThatIsNotPrintableIsEscaped() {
        LockHandle lock = here.locker.lock("x");
        String record = ((List<?>) redis.command("KEYS", "leasehold-instance-*"))
                .stream()
                        .map(String::valueOf)
                        .filter(key -> String.valueOf(redis.command("GET", key)).startsWith("orders"))
                        .findAny()
                        .orElseThrow();
        redis.command("SET", record, "a\r\nb" + "x".repeat(10_000));
        assertThat(there.describe("x").holder())
                .startsWith("a\\u000d\\u000abxx")
                .hasSizeLessThanOrEqualTo(LockState.LONGEST_NAME);
        lock.close();
    }

    @Test
    void aKeyOfAnotherTypeIsNotTakenFromItsClient() {
        redis.command("HSET", "deploy:hash", "field", "value");
        for (long named : new long[] {0, 7}) {
            ForcedRelease release = StoreClient.await(there.locker.forceRelease("hash", named, "a test"));
            assertThat(release.outcome()).isEqualTo(ForcedRelease.Outcome.FOREIGN);
            assertThat(release.holder()).isNull();
        }
        assertThat(redis.command("HGETALL", "deploy:hash")).isEqualTo(List.of("field", "value"));
        assertThat(redis.command("PTTL", "deploy:hash")).isEqualTo(-1L);
        assertThat(redis.command("EXISTS", "{deploy:hash}:fence", "{deploy:hash}:queue"))
                .isEqualTo(0L);
    }

    /** Time passes by shortening how long the fence is kept, because the shortest retention is a minute. */
    @Test
    void renewalsForLongerThanFencesAreKeptForgetNothingAboutTheHolder() {
        long retention = RedisLockOptions.defaults().fenceRetention().toMillis();
        LockHandle lock = here.locker.lock("x");
        Held granted = there.describe("x");
        for (long aged = 0; aged <= 2 * retention; aged += retention / 3) {
            long kept = (Long) redis.command("PTTL", "{deploy:x}:fence");
            assertThat(kept).isGreaterThan(retention / 2);
            redis.command("PEXPIRE", "{deploy:x}:fence", Long.toString(kept - retention / 3));
            lock.renew();
        }
        assertThat(there.describe("x")).satisfies(state -> {
            assertThat(state.kind()).isEqualTo(Kind.HOLDER);
            assertThat(state.holder()).isEqualTo(GRANTED_TO);
            assertThat(state.since()).isEqualTo(granted.since());
            assertThat(state.fencingToken()).isEqualTo(granted.fencingToken()).isPresent();
        });
        lock.close();
    }

    @Test
    void theQueueIsCounted() {
        LockHandle lock = here.locker.lock("x");
        CompletableFuture<LockHandle> next = there.lockAsync("x");
        await().atMost(DEADLINE).until(() -> here.describe("x").waiting().orElseThrow() == 1);
        lock.close();
        next.join().close();
    }

    @Test
    void aLockCostsTheSameCommandsWithAName() {
        Instance named = new Instance(7, "orders@host-1:11");
        StoreClient.await(here.backend.introduce(named));
        // repeated, because a renewal within a millisecond of the grant asks for less
        await().atMost(DEADLINE)
                .untilAsserted(() -> assertThat(commandsOfOneLock("with", named))
                        .containsKey("set")
                        .isEqualTo(commandsOfOneLock("without", null)));
    }

    /** The fence of a lease whose ttl is longer than fences are kept expires before it. */
    @Test
    void aLeaseWithoutAFenceIsRevokedByTheTokenZero() {
        LockHandle lock = here.locker.lock("x");
        redis.command("DEL", "{deploy:x}:fence");
        assertThat(there.describe("x").fencingToken()).isEmpty();
        LockId id = LockId.of("deploy", "x");
        assertThat(StoreClient.await(there.backend.revoke(id, lock.fencingToken())))
                .isEqualTo(ForcedRelease.Outcome.OTHER_HOLDER);
        assertThat(StoreClient.await(there.backend.revoke(id, 0))).isEqualTo(ForcedRelease.Outcome.REVOKED);
        assertThat(StoreClient.await(there.backend.revoke(id, 0))).isEqualTo(ForcedRelease.Outcome.REVOKED);
        lock.close();
        await().atMost(DEADLINE)
                .until(() -> there.locker
                        .tryLock("x")
                        .filter(next -> next.fencingToken() > lock.fencingToken())
                        .isPresent());
        assertThat(StoreClient.await(there.backend.revoke(id, 0))).isEqualTo(ForcedRelease.Outcome.OTHER_HOLDER);
    }

    @Test
    void aLeaseWhoseExpiryAClientHasRemovedIsNotReportedAsRevoked() {
        LockHandle lock = here.locker.lock("x");
        long token = there.describe("x").fencingToken().orElseThrow();
        redis.command("PERSIST", "deploy:x");
        assertThat(StoreClient.await(there.backend.revoke(LockId.of("deploy", "x"), token)))
                .isEqualTo(ForcedRelease.Outcome.FOREIGN);
        lock.renew();
        lock.close();
    }

    @Test
    void theProcessThatHoldsALeaseWithoutAFenceIsNotifiedImmediately() {
        for (long named : new long[] {0, 1}) {
            LockHandle lock = here.locker.lock("x");
            redis.command("DEL", "{deploy:x}:fence");
            ForcedRelease release =
                    StoreClient.await(here.locker.forceRelease("x", named * lock.fencingToken(), "a test"));
            assertThat(release.outcome()).isEqualTo(ForcedRelease.Outcome.REVOKED);
            assertThat(lock.isHeld()).isFalse();
            redis.command("DEL", "deploy:x");
        }
    }

    @Test
    void withoutTheRightToTheRecordsLocksHaveNoNames() {
        RedisUser.documented().without("~leasehold-instance-*").create(redis, "nameless");
        LettuceConnectionFactory factory = new LettuceConnectionFactory(RedisUser.at(redis, "nameless"));
        factory.afterPropertiesSet();
        factory.start();
        try (LockBackend backend = RedisLockBackend.of(factory, RedisLockOptions.defaults());
                LockEngine engine = new LockEngine(new LockListener() {}, "orders@host-3:33")) {
            LeaseLocker locker = engine.locker(SETTINGS, "redis", backend);
            locker.lock("x");
            assertThat(there.describe("x")).satisfies(state -> {
                assertThat(state.kind()).isEqualTo(Kind.HOLDER);
                assertThat(state.holder()).isNull();
            });
        } finally {
            factory.destroy();
            redis.command("ACL", "DELUSER", "nameless");
        }
    }

    /**
     * The calls of every command while a lock is acquired and released a few times, by plain commands and by script.
     */
    private SortedMap<String, Long> commandsOfOneLock(String key, @Nullable Instance instance) {
        StoreClient store = new StoreClient(here.backend, "deploy");
        LockId id = store.id(key);
        redis.command("CONFIG", "RESETSTAT");
        for (int i = 0; i < 5; i++) {
            io.leasehold.contract.Held held = instance == null
                    ? store.grant(id, StoreClient.LONG)
                    : store.grant(new AcquireCommand(id, tokenOf(store, instance), StoreClient.LONG, 1, false));
            store.renew(held, StoreClient.LONG);
            store.release(held);
        }
        return redis.calls();
    }

    private static Token tokenOf(StoreClient store, Instance instance) {
        Token random = store.token();
        return new Token(random.high(), random.low(), instance, 0);
    }

    /** One process with a name. */
    private final class Process implements AutoCloseable {

        private final LockBackend backend = RedisLockBackend.of(client.factory(), RedisLockOptions.defaults());

        private final LockEngine engine;

        private final LeaseLocker locker;

        Process(String name) {
            engine = new LockEngine(new LockListener() {}, name);
            locker = engine.locker(SETTINGS, "redis", backend);
        }

        /** The name is recorded in the background after the first connect. */
        void warmUp() {
            await().atMost(Duration.ofSeconds(40))
                    .ignoreExceptions()
                    .until(() -> locker.tryLock("warm-up").orElseThrow().release());
            LockHandle named = locker.lock("warm-up");
            await().atMost(DEADLINE).until(() -> describe("warm-up").holder() != null);
            named.close();
        }

        LockState state(String key) {
            return StoreClient.await(locker.describe(key));
        }

        Held describe(String key) {
            assertThat(state(key)).isInstanceOf(Held.class);
            return (Held) state(key);
        }

        CompletableFuture<LockHandle> lockAsync(String key) {
            return locker.tryLockAsync(LockRequest.of(key))
                    .thenApply(Optional::orElseThrow)
                    .toCompletableFuture();
        }

        @Override
        public void close() {
            engine.close();
            backend.close();
        }
    }
}
