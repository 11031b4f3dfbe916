package io.leasehold.contract;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One lock that several threads acquire and release as fast as possible. */
public final class HotLock {

    private HotLock() {}

    /**
     * Acquires and releases the lock {@code "a"}.
     *
     * @param locker the locker to use
     * @param threads the number of threads
     * @param time the duration of the run
     */
    public static void run(Locker locker, int threads, Duration time) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread caller = new Thread(() -> {
                while (System.nanoTime() - end < 0) {
                    try (LockHandle lock = locker.lock("a")) {
                        lock.fencingToken();
                    }
                }
            });
            caller.start();
            callers.add(caller);
        }
        for (Thread caller : callers) {
            caller.join();
        }
    }
}
