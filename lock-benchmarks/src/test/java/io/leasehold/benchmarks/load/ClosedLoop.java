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
 * Threads of one process that take locks and give them back for a while: each its own lock, or all the same.
 *
 * @param contestant whose locks
 * @param callers what kind of threads
 * @param threads how many
 * @param keys which locks they take
 * @param ledger what the section under the one lock counts in; {@code null} for a lock of its own for each thread
 * @param section how long the section takes
 * @param window how long new locks are asked for
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

    private static final int PATIENCE_SECONDS = 120;

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
        if (!done.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException(done.getCount() + " of " + threads + " callers were still waiting after "
                    + PATIENCE_SECONDS + " s");
        }
        Usage used = Usage.now().since(before);
        leave.countDown();
        return LoopOutcome.of(all, used);
    }
}
