package io.leasehold.contract;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** One lock that several threads acquire and release as fast as possible. */
public final class HotLock {

    private HotLock() {}

    /**
     * Acquires and releases the lock {@code "a"}.
     *
     * @param locker the locker to use
     * @param threads the number of threads
     * @param time the duration of the run
     * @return the number of grants
     * @throws ExecutionException if a thread could not acquire the lock
     */
    public static long run(Locker locker, int threads, Duration time) throws InterruptedException, ExecutionException {
        long end = System.nanoTime() + time.toNanos();
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<Long>> callers = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                callers.add(executor.submit(() -> lockAgainAndAgain(locker, end)));
            }
            long grants = 0;
            for (Future<Long> caller : callers) {
                grants += caller.get();
            }
            return grants;
        } finally {
            executor.shutdownNow();
        }
    }

    private static long lockAgainAndAgain(Locker locker, long end) {
        long grants = 0;
        while (System.nanoTime() - end < 0) {
            try (LockHandle lock = locker.lock("a")) {
                lock.fencingToken();
                grants++;
            }
        }
        return grants;
    }
}
