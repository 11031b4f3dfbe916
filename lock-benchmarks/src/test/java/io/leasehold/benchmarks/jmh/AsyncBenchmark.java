package io.leasehold.benchmarks.jmh;

import io.leasehold.LockListener;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.engine.DirectCompletion;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.memory.MemoryLockBackend;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The cost of completing futures on threads for code of the application: an asynchronous lock and its release, with and
 * without these threads. The store answers on a thread of its own, as clients do. Each of the two completions is
 * therefore one more thread switch.
 */
@State(Scope.Benchmark)
public class AsyncBenchmark {

    private static final LockRequest REQUEST = LockRequest.of("key").withWaitTime(Duration.ZERO);

    private final LockEngine engine = new LockEngine(new LockListener() {});

    private final LockEngine direct = DirectCompletion.engine();

    private final ExecutorService storesThread = Executors.newSingleThreadExecutor();

    private Locker locker;

    private Locker directLocker;

    @Setup
    public void start() {
        locker = locker(engine);
        directLocker = locker(direct);
    }

    @TearDown
    public void stop() {
        engine.close();
        direct.close();
        storesThread.shutdown();
    }

    @Benchmark
    public boolean onThreadsOfItsOwn() {
        return lockAndRelease(locker);
    }

    @Benchmark
    public boolean onThreadsOfTheStore() {
        return lockAndRelease(directLocker);
    }

    private Locker locker(LockEngine engine) {
        return engine.locker(
                LockerSettings.of("benchmark"),
                "memory",
                new OnOneThread(new MemoryLockBackend(System::nanoTime, InstantSource.system()), storesThread));
    }

    private static boolean lockAndRelease(Locker locker) {
        return locker.tryLockAsync(REQUEST)
                .toCompletableFuture()
                .join()
                .orElseThrow()
                .releaseAsync()
                .toCompletableFuture()
                .join();
    }

    /** A backend that answers on another thread. */
    private record OnOneThread(LockBackend backend, Executor thread) implements LockBackend {

        @Override
        public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
            return backend.acquire(command).thenApplyAsync(Function.identity(), thread);
        }

        @Override
        public CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands) {
            return backend.renew(commands).thenApplyAsync(Function.identity(), thread);
        }

        @Override
        public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
            return backend.release(command).thenApplyAsync(Function.identity(), thread);
        }
    }
}
