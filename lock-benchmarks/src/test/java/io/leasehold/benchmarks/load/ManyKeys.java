package io.leasehold.benchmarks.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Numbered keys. Each key is visited by one of many threads. */
final class ManyKeys {

    private static final int THREADS = 64;

    private ManyKeys() {}

    /** The work for one key. */
    interface Visit {

        void visit(String key) throws Exception;
    }

    static void each(String prefix, int keys, Visit visit) throws Exception {
        AtomicInteger next = new AtomicInteger();
        Callable<Void> work = () -> {
            for (int i = next.getAndIncrement(); i < keys; i = next.getAndIncrement()) {
                visit.visit(prefix + i);
            }
            return null;
        };
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<Void>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                running.add(threads.submit(work));
            }
            for (Future<Void> one : running) {
                one.get();
            }
        } catch (ExecutionException ex) {
            throw new IllegalStateException("a key could not be locked", ex.getCause());
        } finally {
            threads.shutdownNow();
        }
    }
}
