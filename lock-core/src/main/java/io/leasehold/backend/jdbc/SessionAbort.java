package io.leasehold.backend.jdbc;

import java.util.concurrent.CompletableFuture;

/** Ends sessions whose connection may not answer, each on a thread of its own, since a driver may take its time for that. */
final class SessionAbort {

    private SessionAbort() {}

    /** Closes a session's connection without a word to the database, and then does something. */
    static CompletableFuture<?> begin(Session session, Runnable afterwards) {
        CompletableFuture<?> done = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        session.abort();
                    } finally {
                        afterwards.run();
                        done.complete(null);
                    }
                },
                "leasehold-rows-abort");
        thread.setDaemon(true);
        thread.start();
        return done;
    }
}
