package io.leasehold.redis;

import static io.leasehold.contract.StoreClient.LONG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.contract.Waiter;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.Token;
import io.leasehold.testsupport.Seeds;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnection;

/** A release that grants the lock to the first waiter. Messages are late, lost or repeated, and waiters are gone. */
class GrantOnReleaseTests {

    private static final Duration PROVISIONAL = Duration.ofSeconds(1);

    private static final String LOCK = "ns:a";

    private static final String FENCE = "{ns:a}:fence";

    private static final String QUEUE = "{ns:a}:queue";

    private final RedisServer redis = RedisServer.shared();

    private final RedisClient connections = RedisClient.of(redis.port());

    private final LockBackend here = backend(RedisLockOptions.defaults());

    private final LockBackend elsewhere = backend(RedisLockOptions.defaults());

    private final LockBackend withoutGrants =
            backend(RedisLockOptions.defaults().withGrantOnRelease(false));

    private final StoreClient holder = new StoreClient(here, "ns");

    private final StoreClient other = new StoreClient(elsewhere, "ns");

    private final StoreClient plain = new StoreClient(withoutGrants, "ns");

    private final LockId id = LockId.of("ns", "a");

    @BeforeEach
    void begin() {
        redis.command("FLUSHALL");
    }

    @AfterEach
    void close() {
        here.close();
        elsewhere.close();
        withoutGrants.close();
        connections.close();
    }

    @Test
    void theFirstWaiterHasTheLockBeforeItAsksAgain() {
        Held held = holder.grant(id, LONG, 17);
        Waiter first = other.waitFor(id);
        Waiter second = plain.waitFor(id);
        holder.release(held);
        Granted grant = grant(first);
        assertThat(grant.firstFence()).isGreaterThan(held.firstFence() + 16);
        assertThat(grant.validity()).isEqualTo(PROVISIONAL);
        assertThat(owner()).isEqualTo(first.token().valueWithHolder());
        assertThat(remaining()).isBetween(1L, PROVISIONAL.toMillis());
        assertThat(Objects.requireNonNull(second.busy().wakeup())).isNotDone();
        Held granted = new Held(id, first.token(), grant.firstFence());
        assertThat(other.renew(granted, LONG)).isEqualTo(RenewAnswer.RENEWED);
        assertThat(remaining()).isGreaterThan(PROVISIONAL.toMillis());
        assertThat(other.release(granted)).isEqualTo(ReleaseAnswer.RELEASED);
        assertThat(wakeup(second)).isNull();
    }

    @Test
    void aShortTtlIsNotExceeded() {
        Held held = holder.grant(id, LONG);
        Waiter waiter = other.waitFor(id, other.token(), Duration.ofMillis(700));
        holder.release(held);
        assertThat(grant(waiter).validity()).isEqualTo(Duration.ofMillis(700));
        assertThat(remaining()).isLessThanOrEqualTo(700);
    }

    /** The waiter asks again, because the message is lost or late. */
    @Test
    void theNextQuestionHasTheSameAnswerAndTheWholeTtl() {
        Held held = holder.grant(id, LONG);
        Token token = other.token();
        AcquireCommand command = new AcquireCommand(id, token, LONG, 9, true);
        Waiter waiter = new Waiter(id, token, (Busy) other.acquire(command));
        holder.release(held);
        // awaited first: the next question replaces a future that the message has not completed yet
        long first = grant(waiter).firstFence();
        assertThat(other.acquire(command)).isEqualTo(new Granted(first));
        assertThat(remaining()).isGreaterThan(PROVISIONAL.toMillis());
        assertThat(redis.command("GET", FENCE)).isEqualTo(Long.toString(first + 8));
        assertThat(redis.command("ZCARD", QUEUE)).isEqualTo(0L);
    }

    /**
     * Its message may be older than the waiter's present question, so that its validity would count from too late
     * (rules.md R1).
     */
    @Test
    void aGrantAfterAnEarlierQuestionIsOnlyAHint() {
        Held held = holder.grant(id, LONG);
        Waiter asked = other.waitFor(id);
        Object expected = redis.command("GET", QUEUE + ":" + asked.token().valueWithHolder());
        Waiter askedAgain = other.waitFor(id, asked.token());
        // the second question has not arrived yet when the lock is released
        redis.command("SET", QUEUE + ":" + asked.token().valueWithHolder(), (String) expected);
        holder.release(held);
        assertThat(wakeup(askedAgain)).isNull();
        assertThat(owner()).isEqualTo(asked.token().valueWithHolder());
        assertThat(Objects.requireNonNull(asked.busy().wakeup())).isNotDone();
        assertThat(other.acquire(new AcquireCommand(id, asked.token(), LONG, 1, true)))
                .isInstanceOf(Granted.class);
    }

    @Test
    void aMessageThatComesTwiceOrForNobodyHasNoEffect() {
        Held held = holder.grant(id, LONG);
        Waiter waiter = other.waitFor(id);
        String channel = channel();
        String expected =
                (String) redis.command("GET", QUEUE + ":" + waiter.token().valueWithHolder());
        holder.release(held);
        Granted grant = grant(waiter);
        String message = waiter.token().valueWithHolder() + " " + expected.split(" ")[2] + " " + grant.firstFence();
        assertThat(redis.command("PUBLISH", channel, message)).isEqualTo(1L);
        other.release(new Held(id, waiter.token(), grant.firstFence()));
        Held next = other.grant("a");
        Waiter after = other.waitFor(id);
        assertThat(redis.command("PUBLISH", channel, message)).isEqualTo(1L);
        holder.busy(id);
        assertThat(Objects.requireNonNull(after.busy().wakeup())).isNotDone();
        assertThat(other.renew(next, LONG)).isEqualTo(RenewAnswer.RENEWED);
    }

    @Test
    void aReleaseThatIsRepeatedDoesNotDisturbTheNextHolder() {
        Held held = holder.grant(id, LONG);
        Waiter first = other.waitFor(id);
        Waiter second = other.waitFor(id);
        assertThat(holder.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
        grant(first);
        assertThat(holder.release(held)).isEqualTo(ReleaseAnswer.NOT_OWNER);
        assertThat(holder.release(held, Duration.ofSeconds(5))).isEqualTo(ReleaseAnswer.NOT_OWNER);
        assertThat(owner()).isEqualTo(first.token().valueWithHolder());
        assertThat(Objects.requireNonNull(second.busy().wakeup())).isNotDone();
    }

    @Test
    void aWaiterThatGivesUpAtTheSameTimePassesTheLockOn() {
        Held held = holder.grant(id, LONG);
        Waiter first = other.waitFor(id);
        Waiter second = other.waitFor(id);
        holder.release(held);
        other.giveUp(first);
        grant(second);
        assertThat(owner()).isEqualTo(second.token().valueWithHolder());
    }

    @Test
    void aWaiterThatWasNotHeardOfLatelyIsOnlyNotified() {
        Held held = holder.grant(id, LONG);
        Waiter waiter = other.waitFor(id, other.token(), Duration.ofMillis(300));
        String expects = QUEUE + ":" + waiter.token().valueWithHolder();
        await().until(() -> redis.command("EXISTS", expects).equals(0L));
        holder.release(held);
        assertThat(wakeup(waiter)).isNull();
        assertThat(redis.command("EXISTS", LOCK)).isEqualTo(0L);
        assertThat(other.acquire(new AcquireCommand(id, waiter.token(), LONG, 1, true)))
                .isInstanceOf(Granted.class);
    }

    @Test
    void aWaiterWhoseProcessHasEndedIsPassedOver() {
        Held held = holder.grant(id, LONG);
        LockBackend ending = backend(RedisLockOptions.defaults());
        new StoreClient(ending, "ns").waitFor(id);
        Waiter second = other.waitFor(id);
        String channel = channel();
        ending.close();
        await().until(() -> redis.command("PUBLISH", channel, "nobody").equals(0L));
        holder.release(held);
        grant(second);
        assertThat(redis.command("ZCARD", QUEUE)).isEqualTo(0L);
    }

    @Test
    void aWaiterThatNeverTakesItsGrantCostsTheProvisionalTtlOnce() {
        Held held = holder.grant(id, LONG);
        other.waitFor(id);
        long begin = System.nanoTime();
        holder.release(held);
        await().pollInterval(Duration.ofMillis(10))
                .until(() -> holder.acquire(id, holder.token(), LONG) instanceof Granted);
        assertThat(System.nanoTime() - begin).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(900));
        assertThat(redis.command("ZCARD", QUEUE)).isEqualTo(0L);
    }

    @Test
    void aGrantedLeaseCanBeRevoked() {
        Held held = holder.grant(id, LONG);
        Waiter waiter = other.waitFor(id);
        Waiter next = other.waitFor(id);
        holder.release(held);
        Held granted = new Held(id, waiter.token(), grant(waiter).firstFence());
        assertThat(holder.revoke(id, Long.parseLong((String) redis.command("GET", FENCE))))
                .isEqualTo(Outcome.REVOKED);
        assertThat(other.renew(granted, LONG)).isEqualTo(RenewAnswer.REVOKED);
        assertThat(other.acquire(new AcquireCommand(id, waiter.token(), LONG, 1, true)))
                .isInstanceOf(Busy.class);
        assertThat(other.release(granted)).isEqualTo(ReleaseAnswer.RELEASED);
        assertThat(grant(next).firstFence()).isGreaterThan(granted.firstFence());
    }

    @Test
    void aReleaseAfterARevocationGrantsToo() {
        Held held = holder.grant(id, LONG);
        Waiter waiter = other.waitFor(id);
        assertThat(holder.revoke(id, held.firstFence())).isEqualTo(Outcome.REVOKED);
        holder.release(held);
        grant(waiter);
        assertThat(owner()).isEqualTo(waiter.token().valueWithHolder());
    }

    @Test
    void aRetainedLockIsNotGranted() {
        Held held = holder.grant(id, LONG);
        Waiter waiter = other.waitFor(id);
        holder.release(held, Duration.ofSeconds(5));
        assertThat(Objects.requireNonNull(waiter.busy().wakeup())).isNotDone();
        assertThat(owner()).isEqualTo(held.token().valueWithHolder() + "|released");
    }

    /** Redis sends messages of a script to replicas, whose subscribers it does not count. */
    @Test
    void aSubscriberOnAReplicaGetsNoGrant() throws Exception {
        try (RedisServer replica = RedisServer.start("replicaof 127.0.0.1 " + redis.port());
                RedisClient client = RedisClient.of(replica.port());
                RedisConnection subscriber = client.factory().getConnection()) {
            BlockingQueue<String> messages = new LinkedBlockingQueue<>();
            subscriber.subscribe(
                    (message, pattern) -> messages.add(new String(message.getBody(), UTF_8)), bytes("turns"));
            await().until(() -> ((List<?>) replica.command("PUBSUB", "CHANNELS")).size() == 1);
            await().until(() ->
                    replica.command("INFO", "replication").toString().contains("master_link_status:up"));
            Held held = holder.grant(id, LONG);
            redis.command("ZADD", QUEUE, "1", "turns|waiter");
            redis.command("SET", QUEUE + ":waiter", "1 1000 5");
            assertThat(holder.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
            assertThat(owner()).isNull();
            redis.command("PUBLISH", "turns", "end");
            String message = messages.poll(30, TimeUnit.SECONDS);
            while (!"end".equals(message)) {
                assertThat(message).isEmpty();
                message = messages.poll(30, TimeUnit.SECONDS);
            }
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    @Test
    void withoutTheCounterTokensRiseByTheClock() {
        Held held = holder.grant(id, LONG);
        Waiter waiter = other.waitFor(id);
        redis.command("DEL", FENCE);
        holder.release(held);
        assertThat(grant(waiter).firstFence()).isGreaterThan(held.firstFence());
    }

    @ParameterizedTest
    @ValueSource(strings = {"foreign", "12 1000", "a b c"})
    void anExpectationOfAnotherVersionIsIgnored(String expectation) {
        Held held = holder.grant(id, LONG);
        Waiter waiter = other.waitFor(id);
        redis.command("SET", QUEUE + ":" + waiter.token().valueWithHolder(), expectation);
        holder.release(held);
        assertThat(wakeup(waiter)).isNull();
    }

    /** Processes in which it is switched off wait and release beside others. */
    @Test
    void processesWithAndWithoutGrantsShareLocks() {
        Held held = plain.grant(id, LONG);
        Waiter granting = other.waitFor(id);
        Waiter notified = plain.waitFor(id);
        plain.release(held);
        assertThat(wakeup(granting)).isNull();
        Granted second = (Granted) other.acquire(new AcquireCommand(id, granting.token(), LONG, 1, true));
        other.release(new Held(id, granting.token(), second.firstFence()));
        assertThat(wakeup(notified)).isNull();
        assertThat(redis.command("EXISTS", LOCK)).isEqualTo(0L);
        assertThat(plain.acquire(new AcquireCommand(id, notified.token(), LONG, 1, true)))
                .isInstanceOf(Granted.class);
    }

    @Test
    void ifReplicasMustConfirmAWaiterExpectsNoGrant() {
        try (LockBackend confirmed = backend(RedisLockOptions.defaults().withMinReplicas(1))) {
            Held held = holder.grant(id, LONG);
            Waiter waiter = new StoreClient(confirmed, "ns").waitFor(id);
            assertThat(redis.command("EXISTS", QUEUE + ":" + waiter.token().valueWithHolder()))
                    .isEqualTo(0L);
            holder.release(held);
            assertThat(wakeup(waiter)).isNull();
        }
    }

    @Test
    void tokensRiseForAnyHolderAndAfterAnyLossOfData() {
        Random random = Seeds.random("who waits, how, and what is lost");
        StoreClient[] processes = {holder, other, plain};
        long last = 0;
        int granted = 0;
        Held held = holder.grant(id, LONG);
        for (int i = 0; i < 1_000; i++) {
            StoreClient process = processes[random.nextInt(3)];
            AcquireCommand command = new AcquireCommand(id, process.token(), LONG, 1 + random.nextInt(17), true);
            Waiter waiter = new Waiter(id, command.token(), (Busy) process.acquire(command));
            if (random.nextInt(20) == 0) {
                redis.command("DEL", FENCE);
            }
            assertThat(processes[random.nextInt(3)].release(held)).isEqualTo(ReleaseAnswer.RELEASED);
            Object grant = wakeup(waiter);
            AcquireAnswer answer = grant == null || random.nextBoolean() ? process.acquire(command) : (Granted) grant;
            held = new Held(id, command.token(), ((Granted) answer).firstFence());
            assertThat(held.firstFence()).isGreaterThan(last);
            last = held.firstFence() + command.fencingTokens() - 1;
            granted += grant == null ? 0 : 1;
        }
        assertThat(granted).isGreaterThan(200);
    }

    private LockBackend backend(RedisLockOptions options) {
        return RedisLocking.readyForWaiters(connections.factory(), options);
    }

    private static Granted grant(Waiter waiter) {
        return (Granted) Objects.requireNonNull(wakeup(waiter));
    }

    private static Object wakeup(Waiter waiter) {
        CompletableFuture<?> wakeup = Objects.requireNonNull(waiter.busy().wakeup());
        return wakeup.orTimeout(20, TimeUnit.SECONDS).join();
    }

    private String channel() {
        String head = redis.command("ZRANGE", QUEUE, "0", "0").toString();
        return head.substring(1, head.indexOf('|'));
    }

    private Object owner() {
        return redis.command("GET", LOCK);
    }

    private long remaining() {
        return (Long) redis.command("PTTL", LOCK);
    }
}
