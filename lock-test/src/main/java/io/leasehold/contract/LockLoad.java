package io.leasehold.contract;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockInterruptedException;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

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
                RandomCaller user = new RandomCaller(
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

    private void repeat(RandomCaller user, int rounds) {
        for (int i = 0; i < rounds; i++) {
            try {
                user.lockOnce();
            } catch (LockBackendException ex) {
                storeFailures.add(ex);
            }
        }
    }

    /** One thread, which misuses locks on purpose. */
    private static final class RandomCaller {

        private final Locker locker;

        private final List<String> keys;

        private final Duration ttl;

        private final History history;

        private final Random random;

        RandomCaller(Locker locker, List<String> keys, Duration ttl, History history, Random random) {
            this.locker = locker;
            this.keys = keys;
            this.ttl = ttl;
            this.history = history;
            this.random = random;
        }

        void lockOnce() {
            boolean renewed = random.nextBoolean();
            LockRequest request = LockRequest.of(keys.get(random.nextInt(keys.size())))
                    .withTtl(ttl)
                    .withAutoRenew(renewed)
                    .withWaitTime(Duration.ofMillis(random.nextInt(200)));
            switch (random.nextInt(50)) {
                case 0 -> lockInterrupted(request);
                case 1 -> lockAndCancel(request);
                case 2 -> locker.tryLock(request).ifPresent(handle -> holdTooLong(handle, renewed));
                case 3 -> locker.tryLock(request).ifPresent(handle -> forget(handle, renewed));
                default -> locker.tryLock(request).ifPresent(this::holdAndRelease);
            }
        }

        private void lockInterrupted(LockRequest request) {
            Thread.currentThread().interrupt();
            try {
                locker.tryLock(request).ifPresent(this::holdAndRelease);
            } catch (LockInterruptedException expected) {
                requireInterrupted();
            } finally {
                Thread.interrupted();
            }
        }

        private void lockAndCancel(LockRequest request) {
            CompletableFuture<Optional<LockHandle>> asked =
                    locker.tryLockAsync(request).toCompletableFuture();
            LockSupport.parkNanos(random.nextInt(2_000_000));
            if (asked.cancel(true)) {
                return;
            }
            try {
                asked.join().ifPresent(this::holdAndRelease);
            } catch (CompletionException ex) {
                throw ex.getCause() instanceof LockBackendException failure ? failure : ex;
            }
        }

        private void holdTooLong(LockHandle handle, boolean renewed) {
            hold(handle, ttl.toNanos() * 3 / 2);
            if (!renewed && handle.isHeld()) {
                throw new AssertionError("held beyond its ttl without renewal: " + handle.key());
            }
            handle.release();
        }

        private void forget(LockHandle handle, boolean renewed) {
            hold(handle, 0);
            if (renewed) {
                handle.close();
            }
        }

        private void holdAndRelease(LockHandle handle) {
            hold(handle, random.nextInt(2_000_000));
            handle.release();
            if (handle.release() || handle.isHeld()) {
                throw new AssertionError("still held after its release: " + handle.key());
            }
        }

        /** Holds a lock for the given time, and records the period in which the lock was observed to be valid. */
        private void hold(LockHandle handle, long nanos) {
            long from = System.nanoTime();
            long now = from;
            long to = from;
            boolean everHeld = false;
            while (handle.isHeld()) {
                everHeld = true;
                to = now;
                if (now - from >= nanos) {
                    break;
                }
                LockSupport.parkNanos(Math.min(nanos, 1_000_000));
                now = System.nanoTime();
            }
            if (everHeld) {
                String holder = locker.name() + "/" + Thread.currentThread().getName();
                history.add(new Grant(handle.key(), handle.fencingToken(), from, to, holder));
            }
        }

        private static void requireInterrupted() {
            if (!Thread.currentThread().isInterrupted()) {
                throw new AssertionError("the interrupt flag was lost");
            }
        }
    }
}
