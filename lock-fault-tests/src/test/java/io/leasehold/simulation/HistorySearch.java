package io.leasehold.simulation;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Runs histories, one seed after the other, until an oracle has a finding. */
public final class HistorySearch {

    private final Stores stores;

    private final long first;

    private final AtomicLong next;

    private final AtomicReference<@Nullable Finding> found = new AtomicReference<>();

    /** Creates a search that begins with a seed. */
    HistorySearch(long first, Stores stores) {
        this.first = first;
        this.next = new AtomicLong(first);
        this.stores = stores;
    }

    /**
     * Runs histories on this thread. {@link PlantingClassLoader} calls it, which loads another class of this name.
     *
     * @param first the first seed
     * @param most the largest number of histories
     * @return the finding, {@code null} if there is none
     */
    public static @Nullable String find(long first, long most) {
        HistorySearch search = new HistorySearch(first, Stores.MODELS);
        Finding finding = search.run(most, TimeUnit.MINUTES.toNanos(10));
        return finding == null ? null : finding.toString();
    }

    /** The number of histories that were run, at least. */
    long count() {
        return next.get() - first;
    }

    /**
     * Runs histories on a thread for each processor.
     *
     * @throws ExecutionException if no plan could be drawn for a seed
     */
    @Nullable
    Finding runInParallel(long most, long nanos) throws InterruptedException, ExecutionException {
        int processors = Runtime.getRuntime().availableProcessors();
        ExecutorService executor = Executors.newFixedThreadPool(processors, task -> new Thread(task, "simulation"));
        try {
            for (Future<?> searched : executor.invokeAll(Collections.nCopies(processors, () -> run(most, nanos)))) {
                searched.get();
            }
        } finally {
            executor.shutdownNow();
        }
        return found.get();
    }

    /** Runs histories on this thread. */
    @Nullable
    Finding run(long most, long nanos) {
        long begin = System.nanoTime();
        try (Strands strands = new Strands()) {
            long seed = next.getAndIncrement();
            while (found.get() == null && seed - first < most && System.nanoTime() - begin < nanos) {
                Plan plan = plan(seed);
                String violation = runSafely(plan, strands);
                if (violation != null) {
                    found.compareAndSet(null, new Finding(plan, violation));
                }
                seed = next.getAndIncrement();
            }
        }
        return found.get();
    }

    private static Plan plan(long seed) {
        try {
            return Planner.plan(seed);
        } catch (RuntimeException ex) {
            throw new IllegalStateException("no plan for seed " + seed, ex);
        }
    }

    /** Runs a history. A failure of the simulation itself is a finding, too. */
    private @Nullable String runSafely(Plan plan, Strands strands) {
        try {
            return HistoryRun.run(plan, stores, strands, new History(false));
        } catch (Throwable ex) {
            return ex + " at " + List.of(ex.getStackTrace());
        }
    }

    /** A plan whose history contains a violation. */
    record Finding(Plan plan, String violation) {

        @Override
        public String toString() {
            return "seed " + plan.seed() + ": " + violation;
        }
    }
}
