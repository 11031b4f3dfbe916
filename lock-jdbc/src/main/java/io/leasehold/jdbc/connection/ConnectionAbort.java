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
        try {
            DaemonThreads.named("leasehold-rows-abort").newThread(abort).start();
        } catch (Throwable ex) {
            // no thread could be created: a caller that waits is better than a connection that stays
            abort.run();
        }
        return done;
    }
}
