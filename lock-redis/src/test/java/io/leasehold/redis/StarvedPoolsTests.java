package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LockRequest;
import io.leasehold.engine.LeaseLocker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.LockBackend;
import io.leasehold.testsupport.QuietLog;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** F26: the application blocks all threads that it can reach, and locks still work. */
class StarvedPoolsTests {

    private static final Duration TTL = Duration.ofSeconds(3);

    private static final int MANY = 4 * Runtime.getRuntime().availableProcessors() + 4;

    private final QuietLog quiet = new QuietLog("io.leasehold.engine");

    private final CountDownLatch end = new CountDownLatch(1);

    private final RedisServer redis = RedisServer.start();

    private final RedisClient client = RedisClient.of(redis.port());

    private final LockBackend backend = RedisLockBackend.of(client.factory(), RedisLockOptions.defaults());

    private final LockEngine engine = new LockEngine(new LockListener() {});

    private final LeaseLocker locker = engine.locker(
            LockerSettings.of("starved").withTtl(TTL).withCommandTimeout(Duration.ofMillis(500)), "redis", backend);

    @AfterEach
    void close() {
        end.countDown();
        engine.close();
        backend.close();
        client.close();
        redis.close();
        quiet.close();
    }

    @Test
    void locksAreTakenAndRenewedWhileTheApplicationsThreadsAreBlocked() throws Exception {
        LockHandle before = acquire("before");
        blockTheCommonPool();
        blockTheEventLoopsOfTheApplication();
        blockTheCallbacksOfLostLocks();
        LockHandle after = acquire("after");
        await().pollDelay(TTL.multipliedBy(2)).atMost(Duration.ofSeconds(40)).until(() -> true);
        assertThat(before.isHeld()).isTrue();
        assertThat(after.isHeld()).isTrue();
        assertThat(before.release()).isTrue();
        assertThat(locker.tryLockAsync(LockRequest.of("before")).toCompletableFuture())
                .succeedsWithin(Duration.ofSeconds(20));
    }

    @Test
    void continuationsThatBlockHoldUpNoLock() {
        LockHandle before = acquire("before");
        List<Thread> blocked = blockTheContinuationsOfGrants();
        LockHandle after = acquire("after");
        await().pollDelay(TTL.multipliedBy(2)).atMost(Duration.ofSeconds(40)).until(() -> true);
        assertThat(before.isHeld()).isTrue();
        assertThat(after.isHeld()).isTrue();
        assertThat(blocked).noneMatch(thread -> thread.getName().startsWith("lettuce"));
    }

    /** Blocks more continuations than the client and the engine have threads. */
    private List<Thread> blockTheContinuationsOfGrants() {
        List<Thread> blocked = new CopyOnWriteArrayList<>();
        for (int i = 0; i < MANY; i++) {
            String key = "blocked-" + i;
            Thread caller =
                    new Thread(() -> locker.tryLockAsync(LockRequest.of(key)).thenAccept(handle -> {
                        blocked.add(Thread.currentThread());
                        awaitEnd();
                    }));
            caller.setDaemon(true);
            caller.start();
        }
        await().atMost(Duration.ofSeconds(20)).until(() -> !blocked.isEmpty());
        return blocked;
    }

    private LockHandle acquire(String key) {
        return await().atMost(Duration.ofSeconds(30))
                .ignoreExceptions()
                .until(() -> locker.tryLock(key, Duration.ofSeconds(5)), Optional::isPresent)
                .orElseThrow();
    }

    private void blockTheCommonPool() {
        for (int i = 0; i < MANY; i++) {
            ForkJoinPool.commonPool().execute(this::awaitEnd);
        }
    }

    private void blockTheEventLoopsOfTheApplication() {
        List<StatefulRedisConnection<String, String>> connections = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            connections.add(((io.lettuce.core.RedisClient) client.factory().getRequiredNativeClient()).connect());
        }
        AtomicInteger blocked = new AtomicInteger();
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            connections.forEach(connection -> connection.async().ping().thenRun(() -> {
                if (Thread.currentThread().getName().startsWith("lettuce")) {
                    blocked.incrementAndGet();
                    awaitEnd();
                }
            }));
            return blocked.get() > 0;
        });
    }

    private void blockTheCallbacksOfLostLocks() {
        for (int i = 0; i < MANY; i++) {
            String key = "lost-" + i;
            acquire(key).onLost(reason -> awaitEnd());
            redis.command("DEL", "starved:" + key);
        }
    }

    private void awaitEnd() {
        try {
            end.await();
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }
}
