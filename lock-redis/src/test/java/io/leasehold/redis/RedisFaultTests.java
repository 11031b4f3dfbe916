package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockInterruptedException;
import io.leasehold.LossReason;
import io.leasehold.engine.LockerSettings;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.testsupport.FaultMode;
import io.leasehold.testsupport.FaultProxy;
import io.leasehold.testsupport.Seeds;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Faults of the network and locks in Redis. The numbers are those of the failure modes in the design. */
@Tag("slow")
class RedisFaultTests {

    /** Locks that are free within {@link #SOON} have not expired by then. */
    private static final LockerSettings LASTING =
            LockerSettings.of("deploy").withTtl(Duration.ofSeconds(60)).withCommandTimeout(Duration.ofMillis(500));

    private static final Duration SOON = Duration.ofSeconds(30);

    private final RedisServer redis = RedisServer.startDurable();

    private final FaultProxy proxy = new FaultProxy(redis.port());

    private final RedisLocking here = new RedisLocking(proxy.port(), LASTING);

    private final RedisLocking elsewhere = new RedisLocking(redis.port(), LASTING);

    @AfterEach
    void close() {
        proxy.pass();
        here.close();
        elsewhere.close();
        proxy.close();
        redis.close();
    }

    /** F1: the answer is lost. Whatever the caller's result, the key is soon removed or held by the caller. */
    @Test
    void aLostReplyLeavesNoKeyWithoutAnOwner() {
        proxy.set(FaultMode.LOSE_REPLY);
        assertThatThrownBy(() -> here.locker().tryLock("a")).isInstanceOf(LockBackendException.class);
        proxy.pass();
        await().atMost(SOON).until(() -> get("deploy:a") == null);
        awaitGrant(here, "a");
    }

    /** F2: the command arrives after the caller has given up. */
    @Test
    void aCommandThatArrivesLateLeavesNoKey() {
        proxy.set(FaultMode.STALL);
        assertThatThrownBy(() -> here.locker().tryLock("a"))
                .isInstanceOf(LockBackendException.class)
                .hasMessageContaining("no answer within the command timeout");
        await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
        proxy.pass();
        await().atMost(SOON).until(() -> get("{deploy:a}:fence") != null);
        awaitGrant(elsewhere, "a");
    }

    /** F3: the client resends the command after the connection broke. */
    @Test
    void aReplayedCommandMeetsItsOwnTokenAndIsGrantedOnce() {
        for (int i = 0; i < 5; i++) {
            proxy.loseNextReply();
            LockHandle lock = here.locker().lock("a");
            assertThat(elsewhere.locker().tryLock("a")).isEmpty();
            assertThat(lock.release()).isTrue();
            assertThat(get("deploy:a")).isNull();
        }
    }

    /** F4: an interrupt at any moment of the acquisition. */
    @Test
    void anInterruptedCallerLeavesNoKeyAndKeepsItsFlag() throws InterruptedException {
        RandomGenerator random = Seeds.random("anInterruptedCallerLeavesNoKeyAndKeepsItsFlag");
        proxy.delay(Duration.ofMillis(5));
        AtomicInteger interrupted = new AtomicInteger();
        for (int i = 0; i < 100; i++) {
            Thread caller = new Thread(() -> {
                try {
                    here.locker().lock("a").close();
                } catch (LockInterruptedException ex) {
                    interrupted.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 1000);
                }
            });
            caller.start();
            caller.join(random.nextInt(15) + 1);
            caller.interrupt();
            caller.join();
        }
        assertThat(interrupted.get()).isBetween(1, 100);
        proxy.pass();
        await().atMost(SOON).until(() -> get("deploy:a") == null);
        assertThat(here.locker().status().held()).isEmpty();
    }

    /** F6: the store is unreachable when the lock is released. */
    @Test
    void aReleaseDuringAnOutageFreesTheLockWhenTheStoreIsBack() {
        LockHandle lock = here.locker().lock("a");
        proxy.set(FaultMode.REFUSE);
        proxy.cut();
        assertThat(lock.release()).isFalse();
        assertThat(lock.isHeld()).isFalse();
        proxy.pass();
        awaitGrant(elsewhere, "a");
    }

    /** F22: an outage that is shorter than the remaining time of the lease. */
    @Test
    void anOutageOfTwoThirdsOfATtlCostsNoLock() {
        Duration ttl = Duration.ofSeconds(6);
        LockerSettings settings = LockerSettings.of("deploy").withTtl(ttl).withCommandTimeout(Duration.ofMillis(500));
        try (RedisLocking patient = new RedisLocking(proxy.port(), settings)) {
            LockHandle lock = patient.locker().lock("a");
            redis.stop();
            await().pollDelay(ttl.multipliedBy(2).dividedBy(3)).until(() -> true);
            redis.restart();
            await().during(ttl).atMost(ttl.multipliedBy(2)).until(lock::isHeld);
            assertThat(lock.release()).isTrue();
        }
    }

    /** F23: a partition. The holder is notified before the store grants the lock to another holder. */
    @Test
    void aHolderBehindAPartitionIsNotifiedBeforeTheLockIsFree() {
        try (RedisLocking partitioned = new RedisLocking(proxy.port())) {
            LockHandle lock = partitioned.locker().lock("a");
            AtomicLong toldAt = new AtomicLong();
            AtomicReference<LossReason> reason = new AtomicReference<>();
            lock.onLost(why -> {
                reason.set(why);
                toldAt.set(System.nanoTime());
            });
            proxy.set(FaultMode.STALL);
            await().pollInterval(Duration.ofMillis(1)).atMost(SOON).until(() -> get("deploy:a") == null);
            long freeAt = System.nanoTime();
            assertThat(lock.isHeld()).isFalse();
            assertThat(reason).hasValue(LossReason.EXPIRED);
            assertThat(toldAt.get()).isLessThan(freeAt);
            proxy.pass();
            awaitGrant(partitioned, "b");
        }
    }

    /** F33: Redis loses its scripts while they are in use. */
    @Test
    void forgottenScriptsAreNoErrors() {
        AtomicInteger flushes = new AtomicInteger();
        CompletableFuture<Void> flushing = CompletableFuture.runAsync(() -> {
            for (int i = 0; i < 50; i++) {
                redis.command("SCRIPT", "FLUSH");
                flushes.incrementAndGet();
            }
        });
        int cycles = 0;
        while (!flushing.isDone() || cycles < 100) {
            here.locker().lock("a").close();
            cycles++;
        }
        assertThat(flushes).hasValue(50);
    }

    /** F36: all keys in Redis are deleted while the lock is held. */
    @Test
    void aFlushedStoreMeansLossAndAHigherFencingToken() {
        try (RedisLocking renewing = new RedisLocking(redis.port())) {
            LockHandle lock = renewing.locker().lock("a");
            redis.command("FLUSHALL");
            LockHandle next = elsewhere.locker().lock("a");
            assertThat(next.fencingToken()).isGreaterThan(lock.fencingToken());
            await().atMost(SOON).until(() -> !lock.isHeld());
            assertThat(lock.release()).isFalse();
            assertThat(next.isHeld()).isTrue();
        }
    }

    @Test
    void aMissingStoreIsAnErrorAndRecoversByItself() {
        redis.stop();
        assertThatThrownBy(() -> here.locker().tryLock("a"))
                .isInstanceOf(LockBackendException.class)
                .hasMessageContaining("'a'");
        redis.restart();
        awaitGrant(here, "a");
    }

    private static void awaitGrant(RedisLocking locking, String key) {
        await().atMost(SOON)
                .ignoreExceptionsInstanceOf(LockBackendException.class)
                .until(() -> locking.locker().tryLock(key).isPresent());
    }

    private Object get(String key) {
        return redis.command("GET", key);
    }
}
