package io.leasehold.contract;

import io.leasehold.LockBackendException;
import io.leasehold.Locker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Threads that use a few locks as carelessly as applications do. They acquire with and without waiting, hold locks for
 * too long without renewal, omit releases, release twice, are interrupted and cancel. A {@link History} records the
 * held locks.
 *
 * <p>Failures of the store are expected and only recorded. Any other unexpected failure ends the run.
 */
public final class LockLoad {

    private static final int DEADLINE_SECONDS = 60;

    private final History history = new History();

    private final ConcurrentLinkedQueue<LockBackendException> storeFailures = new ConcurrentLinkedQueue<>();

    private final List<Locker> lockers;

    private final List<String> keys;

    private final Duration ttl;

    /**
     * Creates a load.
     *
     * @param lockers the lockers, one for each process; threads are distributed over them
     * @param keys the keys for which the threads compete
     * @param ttl the ttl of leases that are not renewed; must be short enough that they expire during the run
     */
    public LockLoad(List<Locker> lockers, List<String> keys, Duration ttl) {
        this.lockers = List.copyOf(lockers);
        this.keys = List.copyOf(keys);
        this.ttl = ttl;
    }

    /**
     * Runs the load and waits for its end.
     *
     * @param threads the number of threads
     * @param rounds the number of acquisitions of each thread
     * @param seeds determines the actions of each thread; print its seed, so that the run can be repeated
     */
    public void run(int threads, int rounds, Random seeds) {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                CarelessUser user = new CarelessUser(
                        lockers.get(i % lockers.size()), keys, ttl, history, new Random(seeds.nextLong()));
                running.add(executor.submit(() -> repeat(user, rounds)));
            }
            for (Future<?> user : running) {
                user.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", ex);
        } catch (ExecutionException ex) {
            throw new AssertionError("a user was surprised", ex.getCause());
        } catch (TimeoutException ex) {
            throw new AssertionError("a user is stuck", ex);
        } finally {
            executor.shutdownNow();
        }
    }

    /** Returns the history of the held locks. */
    public History history() {
        return history;
    }

    /** Returns the exceptions that callers got for failures of the store. */
    public List<LockBackendException> storeFailures() {
        return List.copyOf(storeFailures);
    }

    private void repeat(CarelessUser user, int rounds) {
        for (int i = 0; i < rounds; i++) {
            try {
                user.lockOnce();
            } catch (LockBackendException ex) {
                storeFailures.add(ex);
            }
        }
    }
}
