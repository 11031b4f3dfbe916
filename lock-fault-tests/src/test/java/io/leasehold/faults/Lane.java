package io.leasehold.faults;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Runs cases one after the other. It has a process whose network breaks and a process whose network works. */
final class Lane implements AutoCloseable {

    private final FaultyProcess process;

    private final FaultyProcess rival;

    private final FaultyProcess bystander;

    private final ExecutorService executor = Executors.newCachedThreadPool();

    Lane(BreakableStore store, FaultyProcess rival, FaultyProcess bystander) {
        this.process = FaultyProcess.behindProxies(store);
        this.rival = rival;
        this.bystander = bystander;
    }

    FaultyProcess process() {
        return process;
    }

    /** The competing process. All lanes may share it, because each lane has keys of its own. */
    FaultyProcess rival() {
        return rival;
    }

    /** The process that holds the locks that this lane asks for and ends. Its network works; all lanes may share it. */
    FaultyProcess bystander() {
        return bystander;
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
