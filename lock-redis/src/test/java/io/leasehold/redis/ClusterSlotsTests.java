package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockHandle;
import io.leasehold.engine.LockerSettings;
import io.leasehold.servers.redis.RedisCluster;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.servers.redis.SlotMove;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The slots of locks' keys in a cluster of three masters, and changes of these slots. */
@Tag("slow")
class ClusterSlotsTests {

    private static final Duration TTL = Duration.ofSeconds(3);

    private static final LockerSettings SETTINGS =
            LockerSettings.of("deploy").withTtl(TTL).withCommandTimeout(Duration.ofMillis(500));

    private static RedisCluster cluster;

    private final RedisLocking here = locking();

    private final RedisLocking elsewhere = locking();

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start(3, 0);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void close() {
        here.close();
        elsewhere.close();
    }

    /** F38 */
    @Test
    void keysWithBracesAreDistributedOverTheCluster() {
        for (int i = 0; i < 60; i++) {
            here.locker().lock("{user}-" + i).close();
        }
        assertThat(cluster.masters()).allMatch(master -> (Long) master.command("DBSIZE") >= 5);
    }

    /** F33 */
    @Test
    void forgottenScriptsAreNoErrors() {
        for (int round = 0; round < 5; round++) {
            cluster.masters().forEach(master -> master.command("SCRIPT", "FLUSH"));
            for (int i = 0; i < 12; i++) {
                here.locker().lock("forgotten-" + i).close();
            }
        }
    }

    /** F34: the slot of a lock is in migration to another master for longer than a ttl. */
    @Test
    void aLockIsHeldWhileItsSlotMoves() {
        LockHandle lock = here.locker().lock("moving");
        RedisServer from = cluster.masterOf("deploy:moving");
        SlotMove move = cluster.move("deploy:moving", otherThan(from));
        move.moveKeys();
        await().during(TTL.multipliedBy(3).dividedBy(2))
                .atMost(Duration.ofSeconds(30))
                .until(lock::isHeld);
        assertThat(cluster.masterOf("deploy:moving")).isSameAs(from);
        move.end();
        await().during(TTL).atMost(Duration.ofSeconds(30)).until(lock::isHeld);
        assertThat(elsewhere.locker().tryLock("moving")).isEmpty();
        assertThat(lock.release()).isTrue();
        try (LockHandle next = elsewhere.locker().lock("moving")) {
            assertThat(next.fencingToken()).isGreaterThan(lock.fencingToken());
        }
        cluster.move("deploy:moving", from).end();
    }

    /** F34: the move stops after the counter of fencing tokens, which a renewal prolongs. */
    @Test
    void aLockIsHeldWhileItsFenceIsOnAnotherMaster() {
        LockHandle lock = here.locker().lock("split");
        RedisServer from = cluster.masterOf("deploy:split");
        SlotMove move = cluster.move("deploy:split", otherThan(from));
        move.moveKey("{deploy:split}:fence");
        await().during(TTL.multipliedBy(3).dividedBy(2))
                .atMost(Duration.ofSeconds(30))
                .until(lock::isHeld);
        move.end();
        assertThat(lock.release()).isTrue();
        cluster.move("deploy:split", from).end();
    }

    /** F34: a lock cannot be acquired while its keys are on two masters. A waiter acquires it afterwards. */
    @Test
    void aWaiterForALockInAMovingSlotGetsItAfterTheMove() {
        here.locker().lock("wanted").close();
        RedisServer from = cluster.masterOf("deploy:wanted");
        SlotMove move = cluster.move("deploy:wanted", otherThan(from));
        move.moveKeys();
        Thread mover = new Thread(move::end);
        mover.start();
        here.locker().lock("wanted").close();
        await().until(() -> !mover.isAlive());
        elsewhere.locker().lock("wanted").close();
        cluster.move("deploy:wanted", from).end();
    }

    /** F25: a master hangs, and no replica replaces it. */
    @Test
    void aMasterThatHangsCostsNoLockOnTheOthers() {
        RedisServer hanging = cluster.masterOf("deploy:hanging");
        List<LockHandle> locks = new ArrayList<>();
        for (int i = 0; locks.size() < 20; i++) {
            if (cluster.masterOf("deploy:healthy-" + i) != hanging) {
                locks.add(here.locker().lock("healthy-" + i));
            }
        }
        LockHandle lost = here.locker().lock("hanging");
        hanging.pause();
        try {
            await().atMost(Duration.ofSeconds(20)).until(() -> !lost.isHeld());
            await().during(TTL.multipliedBy(2))
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> locks.stream().allMatch(LockHandle::isHeld));
            assertThat(locks).allMatch(LockHandle::release);
        } finally {
            hanging.resume();
        }
        await().atMost(Duration.ofSeconds(20))
                .ignoreExceptions()
                .until(() -> here.locker().tryLock("hanging").orElseThrow().release());
    }

    private static RedisServer otherThan(RedisServer master) {
        return cluster.masters().stream()
                .filter(each -> each != master)
                .findFirst()
                .orElseThrow();
    }

    private static RedisLocking locking() {
        return new RedisLocking(RedisClient.of(cluster), SETTINGS, RedisLockOptions.defaults());
    }
}
