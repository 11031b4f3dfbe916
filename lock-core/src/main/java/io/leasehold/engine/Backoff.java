package io.leasehold.engine;

import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.support.SafeCancellation;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The time between two acquire commands of a waiting caller. It ends at a given time, or earlier when the store sends a
 * wake-up. Full jitter prevents callers that collided once from colliding again. A caller that is queued in the store
 * does not collide with others, so it waits for at least half of the time.
 *
 * @param until the time of the next command at the latest
 * @param wakeup completes when the store considers a retry worthwhile; {@code null} if the store sends no wake-ups
 */
record Backoff(long until, @Nullable CompletableFuture<?> wakeup) implements StoreAcquisition.Wait {

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

    /** A time within which one of several callers can take the lock before the others ask again. It doubles each time. */
    static Backoff afterUndecided(int before, long roundTrip, long now, long deadline, LongUnaryOperator jitter) {
        long longest = Math.min(LONGEST_AFTER_FAILURE, (4 * Math.max(LEAST, roundTrip)) << before);
        return new Backoff(earlier(now + jittered(longest, jitter), deadline), null);
    }

    static Backoff afterFailure(int failures, long now, long deadline, LongUnaryOperator jitter) {
        long longest = Math.min(LONGEST_AFTER_FAILURE, (10 * LEAST) << Math.min(failures, 6));
        return new Backoff(earlier(now + jittered(longest, jitter), deadline), null);
    }

    @Override
    public boolean isOver(long now) {
        return now - until >= 0 || wakeup != null && wakeup.isDone();
    }

    /** Ends the wait. Returns the grant of the wake-up, {@code null} if it has none. */
    @Nullable
    Granted end() {
        if (wakeup == null) {
            return null;
        }
        SafeCancellation.cancel(wakeup);
        boolean completed = wakeup.isDone() && !wakeup.isCompletedExceptionally();
        return completed && wakeup.join() instanceof Granted granted ? granted : null;
    }

    private static long jittered(long longest, LongUnaryOperator jitter) {
        return LEAST + jitter.applyAsLong(Math.max(1, longest));
    }

    private static long earlier(long a, long b) {
        return a - b < 0 ? a : b;
    }
}
