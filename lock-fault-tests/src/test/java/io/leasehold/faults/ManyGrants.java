package io.leasehold.faults;

import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.contract.Grant;
import io.leasehold.contract.History;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * Threads of several processes that acquire a few locks as often as they can, and record from when to when they held
 * them. Under each lock they count, in a way that loses an entry if two threads are inside at the same time.
 */
final class ManyGrants {

    private static final Duration WAIT = Duration.ofMinutes(2);

    private final History history = new History();

    private final Map<String, AtomicInteger> entries;

    private final AtomicInteger left;

    private final List<Locker> lockers;

    private final List<String> keys;

    ManyGrants(List<Locker> lockers, List<String> keys, int grants) {
        this.lockers = List.copyOf(lockers);
        this.keys = List.copyOf(keys);
        this.left = new AtomicInteger(grants);
        this.entries = keys.stream().collect(Collectors.toUnmodifiableMap(key -> key, key -> new AtomicInteger()));
    }

    /** Runs until all grants are done; an exception of any thread ends it. */
    History run(int threads, long seed) throws InterruptedException, ExecutionException {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                Locker locker = lockers.get(i % lockers.size());
                String holder = locker.name() + "/" + i;
                Random random = new Random(seed + i);
                running.add(executor.submit(() -> lockAndRelease(locker, holder, random)));
            }
            for (Future<?> thread : running) {
                thread.get();
            }
        } finally {
            executor.shutdownNow();
        }
        return history;
    }

    /** How many entries the threads have counted under their locks. */
    int entries() {
        return entries.values().stream().mapToInt(AtomicInteger::get).sum();
    }

    private void lockAndRelease(Locker locker, String holder, Random random) {
        while (left.getAndDecrement() > 0) {
            String key = keys.get(random.nextInt(keys.size()));
            LockRequest request = LockRequest.of(key).withWaitTime(WAIT);
            try (LockHandle handle = locker.lock(request)) {
                long from = System.nanoTime();
                enter(key);
                long to = System.nanoTime();
                handle.requireHeld();
                history.add(new Grant(key, handle.fencingToken(), from, to, holder));
            }
        }
    }

    /** Reads and writes separately, so that only the lock protects the counter. */
    private void enter(String key) {
        AtomicInteger counter = Objects.requireNonNull(entries.get(key));
        int read = counter.get();
        Thread.yield();
        counter.set(read + 1);
    }
}
