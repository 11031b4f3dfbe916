package io.leasehold.benchmarks.load;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.contestant.LockClient;
import io.leasehold.benchmarks.process.Task;
import io.leasehold.benchmarks.process.Workbench;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Threads of one process that acquire and release locks for a while. Either each thread has its own lock, or all share
 * one.
 *
 * @param contestant the contestant to measure
 * @param callers the kind of the threads
 * @param threads the number of threads
 * @param keys which locks the threads acquire
 * @param ledger counts the sections under the one lock; {@code null} if each thread has a lock of its own
 * @param section the duration of the section
 * @param window how long the threads begin new acquisitions
 */
public record ClosedLoop(
        Contestant contestant,
        Callers callers,
        int threads,
        Keys keys,
        @Nullable String ledger,
        Duration section,
        Duration window)
        implements Task<LoopOutcome> {

    private static final String ONE_KEY = "hot";

    private static final int DEADLINE_SECONDS = 120;

    @Override
    public LoopOutcome run(Workbench bench) throws Exception {
        LockClient client = bench.client(contestant);
        CountDownLatch start = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(threads);
        CountDownLatch leave = new CountDownLatch(1);
        List<Caller> all = new ArrayList<>();
        ThreadFactory factory = callers.factory();
        String prefix = UUID.randomUUID() + "-";
        for (int i = 0; i < threads; i++) {
            Section work =
                    ledger == null ? Section.none() : new CountingSection(SharedLedger.open(ledger), section.toNanos());
            String key = ledger == null ? prefix + i : ONE_KEY;
            Caller caller = new Caller(client, keys.beginningWith(key), work, start, done, leave, window.toNanos());
            all.add(caller);
            factory.newThread(caller).start();
        }
        Usage before = Usage.now();
        start.countDown();
        if (!done.await(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException(done.getCount() + " of " + threads + " callers were still waiting after "
                    + DEADLINE_SECONDS + " s");
        }
        Usage used = Usage.now().since(before);
        leave.countDown();
        return LoopOutcome.of(all, used);
    }
}
