package io.leasehold.faults;

import io.leasehold.LockHandle;
import io.leasehold.contract.Grant;
import io.leasehold.contract.History;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/** Asks a handle all the time whether it is held, and records from when to when it was. */
final class Holding {

    private static final long PACE = 3_000_000;

    private final LockHandle handle;

    private final CompletableFuture<Void> ended;

    private volatile boolean stopped;

    Holding(LockHandle handle, String holder, History history, Executor executor) {
        long from = System.nanoTime();
        this.handle = handle;
        this.ended = CompletableFuture.runAsync(() -> watch(holder, history, from), executor);
    }

    LockHandle handle() {
        return handle;
    }

    /** Stops asking. The history is complete when this method returns. */
    void stop() {
        stopped = true;
        ended.join();
    }

    private void watch(String holder, History history, long from) {
        long now = from;
        long to = from;
        boolean everHeld = false;
        while (handle.isHeld()) {
            everHeld = true;
            to = now;
            if (stopped) {
                break;
            }
            LockSupport.parkNanos(PACE);
            now = System.nanoTime();
        }
        if (everHeld) {
            history.add(new Grant(handle.key(), handle.fencingToken(), from, to, holder));
        }
    }
}
