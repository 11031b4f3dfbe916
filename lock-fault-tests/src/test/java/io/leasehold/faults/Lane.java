package io.leasehold.faults;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Where cases run one after the other: a process whose network breaks, and one whose network does not. */
final class Lane implements AutoCloseable {

    private final FaultyProcess process;

    private final FaultyProcess rival;

    private final ExecutorService executor = Executors.newCachedThreadPool();

    Lane(BreakableStore store, FaultyProcess rival) {
        this.process = FaultyProcess.behindProxies(store);
        this.rival = rival;
    }

    FaultyProcess process() {
        return process;
    }

    /** The process that competes; all lanes may share it, since each has keys of its own. */
    FaultyProcess rival() {
        return rival;
    }

    ExecutorService executor() {
        return executor;
    }

    @Override
    public void close() {
        process.close();
        executor.shutdown();
    }
}
