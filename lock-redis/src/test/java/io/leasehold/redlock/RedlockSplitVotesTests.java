package io.leasehold.redlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.Locker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.servers.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Three instances that ask three servers at the same time, each in another order, and do not wait. */
class RedlockSplitVotesTests {

    private static final int CALLERS = 3;

    private static final int ROUNDS = 30;

    /** Longer than a busy machine takes. */
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final FiveRedis redis = new FiveRedis();

    private final ExecutorService threads = Executors.newFixedThreadPool(CALLERS);

    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        threads.shutdownNow();
        Collections.reverse(opened);
        for (AutoCloseable each : opened) {
            each.close();
        }
        redis.close();
    }

    /** A job at one time of all instances would run on none of them if each gave up. */
    @Test
    void oneOfThemGetsTheLock() throws Exception {
        List<Locker> lockers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            lockers.add(instance(i));
            lockers.get(i).lock("warm-up-" + i).close();
        }
        CyclicBarrier together = new CyclicBarrier(CALLERS);
        for (int round = 0; round < ROUNDS; round++) {
            String key = "job-" + round;
            List<Future<Optional<LockHandle>>> attempts = new ArrayList<>();
            for (Locker locker : lockers) {
                attempts.add(threads.submit(() -> {
                    together.await(1, TimeUnit.MINUTES);
                    return locker.tryLock(key, Duration.ZERO);
                }));
            }
            List<LockHandle> granted = new ArrayList<>();
            for (Future<Optional<LockHandle>> attempt : attempts) {
                attempt.get(1, TimeUnit.MINUTES).ifPresent(granted::add);
            }
            assertThat(granted).as(key).hasSize(1);
            granted.get(0).close();
        }
    }

    private Locker instance(int first) {
        List<Integer> ports = new ArrayList<>(redis.servers.subList(0, CALLERS).stream()
                .map(RedisServer::port)
                .toList());
        Collections.rotate(ports, first);
        RedlockLockBackend backend =
                redis.backend(ports, new RedlockLockOptions(TIMEOUT, Duration.ofMinutes(10)), true);
        LockEngine engine = new LockEngine(new LockListener() {});
        opened.add(backend);
        opened.add(engine);
        LockerSettings settings = LockerSettings.of("jobs")
                .withTtl(Duration.ofMinutes(2))
                .withCommandTimeout(TIMEOUT)
                .withWaitTime(Duration.ofMinutes(1));
        return engine.locker(settings, "redlock", backend);
    }
}
