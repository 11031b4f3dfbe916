package io.leasehold.engine;

import io.leasehold.spi.AcquireAnswer.Busy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The time between two acquire commands of a waiting caller. It ends by the clock, with jitter over all of it, so that
 * callers that met once do not meet again; or earlier when the store sends a wake-up. A caller that is queued in the
 * store meets no other caller there, so it waits for at least half of the time.
 *
 * @param until when to ask again at the latest
 * @param wakeup ends when the store expects that asking is worthwhile; {@code null} if it sends no wake-ups
 */
record Backoff(long until, @Nullable CompletableFuture<?> wakeup) {

    private static final long LEAST = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long LONGEST_WITHOUT_WAKEUP = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long LONGEST_AFTER_FAILURE = TimeUnit.MILLISECONDS.toNanos(500);

    static Backoff afterBusy(Busy busy, long now, long deadline, LongUnaryOperator jitter) {
        long longest = busy.wakeup() == null
                ? LONGEST_WITHOUT_WAKEUP
                : busy.retryAfter().toNanos();
        long remaining = Math.max(LEAST, busy.remaining().toNanos() + LEAST);
        long most = Math.min(remaining, longest);
        long least = busy.queued() && busy.wakeup() != null ? most / 2 : 0;
        return new Backoff(earlier(now + least + jittered(most - least, jitter), deadline), busy.wakeup());
    }

    static Backoff afterFailure(int failures, long now, long deadline, LongUnaryOperator jitter) {
        long longest = Math.min(LONGEST_AFTER_FAILURE, (10 * LEAST) << Math.min(failures, 6));
        return new Backoff(earlier(now + jittered(longest, jitter), deadline), null);
    }

    boolean isOver(long now) {
        return now - until >= 0 || wakeup != null && wakeup.isDone();
    }

    void cancel() {
        if (wakeup != null) {
            wakeup.cancel(false);
        }
    }

    private static long jittered(long longest, LongUnaryOperator jitter) {
        return LEAST + jitter.applyAsLong(Math.max(1, longest));
    }

    private static long earlier(long a, long b) {
        return a - b < 0 ? a : b;
    }
}
