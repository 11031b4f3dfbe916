package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockHandle;
import io.leasehold.LockListener;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.memory.MemoryLockBackend;
import io.leasehold.servers.redis.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Virtual threads that wait for a lock, hold it and release it do not pin their carriers. The test counts the JVM's
 * events of pinned threads, however short. It uses the JDK by reflection, because it is compiled for Java 17.
 */
@Tag("jdk25")
class VirtualThreadTests {

    private static final int THREADS = 300;

    private static final LockerSettings SETTINGS =
            LockerSettings.of("virtual").withWaitTime(Duration.ofSeconds(50)).withTtl(Duration.ofSeconds(50));

    @TempDir
    private Path directory;

    @Test
    void aLockInMemoryPinsNoThread() throws Exception {
        try (LockEngine engine = new LockEngine(new LockListener() {});
                MemoryLockBackend backend = new MemoryLockBackend(System::nanoTime, InstantSource.system())) {
            Locker locker = engine.locker(SETTINGS, "memory", backend);
            assertThat(pins(() -> lockWithManyThreads(locker))).isEmpty();
        }
    }

    @Test
    void aLockInRedisPinsNoThread() throws Exception {
        try (RedisLocking locking = new RedisLocking(RedisServer.shared().port(), SETTINGS)) {
            assertThat(pins(() -> lockWithManyThreads(locking.locker()))).isEmpty();
        }
    }

    @Test
    void aThreadThatIsPinnedIsNoticed() throws Exception {
        assertThat(pinsOfOneRun(() -> {
                    Threads threads = new Threads();
                    threads.run(() -> Sleeper.WOKEN.getClass());
                    threads.join();
                }))
                .isNotEmpty();
    }

    /**
     * Hundreds of threads wait for one lock and some for another. Each holds its lock for a moment in which it yields
     * its carrier.
     */
    private static void lockWithManyThreads(Locker locker) throws Exception {
        int[] counter = new int[1];
        Threads threads = new Threads();
        for (int i = 0; i < THREADS; i++) {
            String other = "other-" + i % 20;
            threads.run(() -> {
                try (LockHandle lock = locker.lock("hot")) {
                    int seen = counter[0];
                    LockSupport.parkNanos(100_000);
                    counter[0] = seen + 1;
                    lock.renew();
                }
                try (LockHandle lock = locker.tryLockAsync(LockRequest.of(other))
                        .toCompletableFuture()
                        .join()
                        .orElseThrow()) {
                    LockSupport.parkNanos(100_000);
                    lock.requireHeld();
                }
            });
        }
        threads.join();
        assertThat(counter[0]).isEqualTo(THREADS);
    }

    /**
     * A first run initialises all classes, because a thread that waits for a class initialisation is pinned in any
     * case.
     */
    private List<String> pins(Work work) throws Exception {
        work.run();
        return pinsOfOneRun(work);
    }

    private List<String> pinsOfOneRun(Work work) throws Exception {
        Path file = directory.resolve("pins.jfr");
        try (Recording recording = new Recording()) {
            recording
                    .enable("jdk.VirtualThreadPinned")
                    .withThreshold(Duration.ZERO)
                    .withStackTrace();
            recording.start();
            work.run();
            recording.stop();
            recording.dump(file);
        }
        return events(file);
    }

    private static List<String> events(Path file) throws IOException {
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals("jdk.VirtualThreadPinned"))
                .map(RecordedEvent::toString)
                .toList();
    }

    interface Work {

        void run() throws Exception;
    }

    /** One virtual thread for each task. */
    private static final class Threads {

        private final ExecutorService executor = perTask();

        private final List<Future<?>> ends = new ArrayList<>();

        void run(Runnable task) {
            ends.add(executor.submit(task));
        }

        void join() throws Exception {
            for (Future<?> end : ends) {
                end.get(50, TimeUnit.SECONDS);
            }
            executor.shutdown();
        }

        private static ExecutorService perTask() {
            try {
                return (ExecutorService) Executors.class
                        .getMethod("newVirtualThreadPerTaskExecutor")
                        .invoke(null);
            } catch (ReflectiveOperationException ex) {
                throw new AssertionError("these tests need JDK 25; on others the tag 'jdk25' is left out", ex);
            }
        }
    }

    /** Pins the thread that initialises it. */
    private static final class Sleeper {

        static final Object WOKEN = new Object();

        static {
            LockSupport.parkNanos(10_000_000);
        }
    }
}
