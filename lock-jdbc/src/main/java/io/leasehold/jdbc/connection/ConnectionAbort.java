package io.leasehold.jdbc.connection;

import io.leasehold.support.DaemonThreads;
import java.util.concurrent.CompletableFuture;

/** Aborts connections that may not respond. Each abort runs on a thread of its own, since a driver may block in it. */
public final class ConnectionAbort {

    private ConnectionAbort() {}

    /** Closes a connection without sending anything to the database. */
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
