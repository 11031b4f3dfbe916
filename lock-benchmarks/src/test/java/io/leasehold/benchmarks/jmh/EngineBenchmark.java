package io.leasehold.benchmarks.jmh;

import io.leasehold.LockListener;
import io.leasehold.Locker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.memory.MemoryLockBackend;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.Token;
import java.time.Duration;
import java.time.InstantSource;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The cost of a lock with a store that costs next to nothing: the engine's own work, and the work of the store without
 * the engine.
 */
@State(Scope.Benchmark)
public class EngineBenchmark {

    private static final LockId ID = LockId.of("benchmark", "key");

    private static final Token TOKEN = new Token(1, 2);

    private static final Duration TTL = Duration.ofSeconds(30);

    private final MemoryLockBackend backend = new MemoryLockBackend(System::nanoTime, InstantSource.system());

    private LockEngine engine;

    private Locker locker;

    @Setup
    public void start() {
        engine = new LockEngine(new LockListener() {});
        locker = engine.locker(LockerSettings.of("benchmark"), "memory", backend);
    }

    @TearDown
    public void stop() {
        engine.close();
    }

    @Benchmark
    public boolean lockAndRelease() {
        return locker.lock("key").release();
    }

    @Benchmark
    public ReleaseAnswer onlyTheStore() {
        backend.acquire(new AcquireCommand(ID, TOKEN, TTL, 1, false))
                .toCompletableFuture()
                .join();
        return backend.release(new ReleaseCommand(ID, TOKEN, Duration.ZERO))
                .toCompletableFuture()
                .join();
    }
}
