package io.leasehold.benchmarks.row;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.load.HeapHistogram;
import io.leasehold.benchmarks.load.HeapUse;
import io.leasehold.benchmarks.load.HoldMany;
import io.leasehold.benchmarks.load.NameMany;
import io.leasehold.benchmarks.load.Rest;
import io.leasehold.benchmarks.load.RestOutcome;
import io.leasehold.benchmarks.load.TouchMany;
import io.leasehold.benchmarks.process.OpenClient;
import io.leasehold.benchmarks.process.Worker;
import io.leasehold.benchmarks.store.RedisStore;
import io.leasehold.benchmarks.store.StoreWork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A contestant that holds many locks, with a process and a Redis of its own. */
final class Holder implements AutoCloseable {

    private static final int WARM_UP = 50_000;

    private static final int WARM_UP_TIMES = 4;

    private static final int CLASSES = 40;

    private final RedisStore store = new RedisStore();

    private final Worker worker = Worker.start();

    private final Contestant contestant;

    private final int locks;

    private long heap;

    private int threadsBefore;

    Holder(Contestant contestant, int locks) {
        this.contestant = contestant;
        this.locks = locks;
    }

    Contestant contestant() {
        return contestant;
    }

    void take(Duration ttl) {
        worker.run(new OpenClient(contestant, store.address(), ttl));
        worker.run(new TouchMany(contestant, "warm-up-", WARM_UP));
        threadsBefore = worker.run(new Rest(Duration.ZERO)).threads();
        worker.run(new NameMany(locks));
        long heapBefore = worker.run(new HeapUse());
        worker.run(new HoldMany(contestant));
        heap = worker.run(new HeapUse()) - heapBefore;
        try {
            Path file = Path.of("target", "heap-" + locks + "-" + contestant + ".txt");
            Files.writeString(file, worker.run(new HeapHistogram(CLASSES)));
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Blocks while the locks are held. The measurement has three parts: a warm-up of four times the measured time,
     * because renewals run only a few times per second and Java compiles them late; the sample, in which each lock is
     * renewed twice; and the measured time.
     */
    HeldFigures hold(Duration sample, Duration duration) {
        worker.run(new Rest(duration.multipliedBy(WARM_UP_TIMES)));
        double shareSent = store.shareSentDuring(() -> worker.run(new Rest(sample)));
        StoreWork before = store.work();
        RestOutcome rest = worker.run(new Rest(duration));
        StoreWork work = store.work().since(before);
        double seconds = duration.toMillis() / 1e3;
        return new HeldFigures(
                locks - store.keysLike("*" + NameMany.PREFIX + "*[0-9]"),
                rest.used().cpuNanos() / 1e9 / seconds * 60,
                work.cpuSeconds() / seconds * 60,
                work.commands() * shareSent / seconds,
                work.commands() * (1 - shareSent) / seconds,
                (double) heap / locks,
                threadsBefore,
                rest.threads(),
                rest.used().allocatedBytes() / seconds);
    }

    @Override
    public void close() {
        worker.close();
        store.close();
    }
}
