package io.leasehold.support;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives up on what a store was asked for. */
public final class SafeCancellation {

    private static final Logger log = LoggerFactory.getLogger(SafeCancellation.class);

    private SafeCancellation() {}

    /**
     * Cancels a future of a backend. It has ended afterwards, also if the backend throws from the cancellation, because
     * its dependents do what is left to do.
     */
    public static void cancel(CompletableFuture<?> future) {
        try {
            future.cancel(true);
        } catch (Throwable ex) {
            SafeLogging.log(() -> log.warn("A backend failed to cancel a command. Its answer is not awaited", ex));
        } finally {
            if (!future.isDone()) {
                future.completeExceptionally(new CancellationException());
            }
        }
    }
}
