package io.leasehold.jdbc.connection;

import io.leasehold.support.DaemonThreads;
import java.util.concurrent.CompletableFuture;

/** Ends sessions whose connection may not answer, each on a thread of its own, since a driver may take its time for that. */
public final class ConnectionAbort {

    private ConnectionAbort() {}

    /** Closes a session's connection without a word to the database. */
    public static CompletableFuture<?> begin(LockConnection session) {
        CompletableFuture<?> done = new CompletableFuture<>();
        Runnable abort = () -> {
            try {
                session.abort();
            } finally {
                done.complete(null);
            }
        };
        DaemonThreads.named("leasehold-rows-abort").newThread(abort).start();
        return done;
    }
}
