package io.leasehold.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockListener;
import io.leasehold.Locker;
import io.leasehold.contract.History;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.memory.MemoryLockBackend;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.testsupport.Seeds;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No acquisition fails and no holds overlap, with grants by the store and with local handoffs inside a process. */
class ManyGrantsTests {

    private static final List<String> KEYS = List.of("a", "b", "c", "d");

    private static final int PROCESSES = 3;

    private static final int THREADS = 24;

    private static final LockerSettings SETTINGS = LockerSettings.of("grants").withTtl(Duration.ofSeconds(30));

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    @Test
    @Tag("slow")
    void aCutOnRedis() throws InterruptedException, ExecutionException {
        run("redis, no faults", redis(PROCESSES), 5_000);
    }

    @Test
    @Tag("slow")
    void aCutInMemory() throws InterruptedException, ExecutionException {
        run("memory, no faults", memory(), 45_000);
    }

    @Test
    @Tag("soak")
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void manyOnRedis() throws InterruptedException, ExecutionException {
        run("redis, no faults", redis(PROCESSES), 100_000);
    }

    @Test
    @Tag("soak")
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void manyByHandOver() throws InterruptedException, ExecutionException {
        run("redis, one process, no faults", redis(1), 500_000);
    }

    @Test
    @Tag("soak")
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void manyInMemory() throws InterruptedException, ExecutionException {
        run("memory, no faults", memory(), 400_000);
    }

    private static void run(String name, List<Locker> lockers, int grants)
            throws InterruptedException, ExecutionException {
        long seed = Seeds.next(name);
        ManyGrants load = new ManyGrants(lockers, KEYS, grants);
        History history = load.run(THREADS, seed);
        List<String> violations = history.violations();
        FaultTable.write(name, 0, history.size(), 0, violations.size(), FaultTable.NO_TIMES, seed);
        assertThat(violations).as("seed %d", seed).isEmpty();
        assertThat(history.size()).isEqualTo(grants);
        assertThat(load.entries()).as("seed %d", seed).isEqualTo(grants);
    }

    private List<Locker> redis(int processes) {
        List<Locker> lockers = new ArrayList<>();
        for (int i = 0; i < processes; i++) {
            RedisProcess process = new RedisProcess(RedisServer.shared().port(), SETTINGS);
            open.add(process);
            lockers.add(process.locker());
        }
        return lockers;
    }

    private List<Locker> memory() {
        MemoryLockBackend backend = new MemoryLockBackend(System::nanoTime, InstantSource.system());
        List<Locker> lockers = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            LockEngine engine = new LockEngine(new LockListener() {});
            open.add(engine);
            lockers.add(engine.locker(SETTINGS, "memory", backend));
        }
        return lockers;
    }
}
