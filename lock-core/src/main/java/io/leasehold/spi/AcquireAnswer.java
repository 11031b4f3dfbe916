package io.leasehold.spi;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A store's answer to an {@link AcquireCommand}. */
public sealed interface AcquireAnswer {

    /** Disposes of an answer that arrives when its caller has given up. Cancels a wake-up; a grant has to be released. */
    default void discard() {}

    /**
     * The lease was granted, or already existed under the same token.
     *
     * @param firstFence the first of the reserved fencing tokens; greater than all fencing tokens that were reserved
     *     for this lock before
     * @param validity how long the lease is valid, counted from before the command was sent, if the store knows that
     *     this is less than the ttl; otherwise {@code null}
     */
    record Granted(long firstFence, @Nullable Duration validity) implements AcquireAnswer {

        /**
         * Creates a grant for the whole ttl.
         *
         * @param firstFence the first of the reserved fencing tokens
         */
        public Granted(long firstFence) {
            this(firstFence, null);
        }
    }

    /**
     * Another holder has the lock, or may have it.
     *
     * @param remaining the time until the holder's lease expires if it is not renewed
     * @param wakeup completes, normally or exceptionally, when a retry seems worthwhile. It is a hint: it may complete
     *     early, late or never. The engine cancels it when it stops waiting. {@code null} if the store sends no
     *     wake-ups. If the token is queued, the wake-up may complete with a {@link Granted}: the store has granted the
     *     lease after it had answered this command. It must not complete with a grant that may be older. The validity
     *     of the grant counts from before this command was sent. It may be much shorter than the ttl, because the
     *     engine renews the lease immediately
     * @param queued whether the store has queued the token. If true, the next command must carry the same token and
     *     the same number of fencing tokens, and a caller that gives up must release the token
     * @param retryAfter the maximum time to rely on the wake-up. A waiter retries after this time at the latest, in
     *     case the wake-up was lost. Without a wake-up the value has no meaning
     * @param undecided whether several callers may have refused the lock to each other, so that none has it. The engine
     *     then retries a few times, even if the wait time is over, and begins no attempt later than a command timeout
     *     after the first such answer
     */
    record Busy(
            Duration remaining,
            @Nullable CompletableFuture<?> wakeup,
            boolean queued,
            Duration retryAfter,
            boolean undecided)
            implements AcquireAnswer {

        private static final Duration DEFAULT_RETRY = Duration.ofMillis(500);

        private static final Duration LONGEST = Duration.ofDays(365);

        /**
         * Limits both durations to the range from zero to one year, because a store may have read them from a foreign
         * lock.
         */
        public Busy {
            remaining = bounded(remaining);
            retryAfter = bounded(retryAfter);
        }

        /**
         * Creates an answer that another holder has the lock for sure.
         *
         * @param remaining the time until the holder's lease expires if it is not renewed
         * @param wakeup completes when a retry seems worthwhile; {@code null} if the store sends no wake-ups
         * @param queued whether the store has queued the token
         * @param retryAfter the maximum time to rely on the wake-up
         */
        public Busy(Duration remaining, @Nullable CompletableFuture<?> wakeup, boolean queued, Duration retryAfter) {
            this(remaining, wakeup, queued, retryAfter, false);
        }

        /**
         * Creates an answer with a {@code retryAfter} of half a second.
         *
         * @param remaining the time until the holder's lease expires if it is not renewed
         * @param wakeup completes when a retry seems worthwhile; {@code null} if the store sends no wake-ups
         * @param queued whether the store has queued the token
         */
        public Busy(Duration remaining, @Nullable CompletableFuture<?> wakeup, boolean queued) {
            this(remaining, wakeup, queued, DEFAULT_RETRY);
        }

        /**
         * Creates an answer of a store that sends no wake-ups and keeps no queue.
         *
         * @param remaining the time until the holder's lease expires if it is not renewed
         */
        public Busy(Duration remaining) {
            this(remaining, null, false);
        }

        /**
         * Creates an answer of a store that cannot tell whether any of several callers has the lock.
         *
         * @param remaining the time until the lock is free at the latest, unless a holder renews its lease
         * @return the answer, without a wake-up
         */
        public static Busy undecided(Duration remaining) {
            return new Busy(remaining, null, false, DEFAULT_RETRY, true);
        }

        @Override
        public void discard() {
            if (wakeup != null) {
                wakeup.cancel(false);
            }
        }

        private static Duration bounded(Duration duration) {
            if (duration.isNegative()) {
                return Duration.ZERO;
            }
            return duration.compareTo(LONGEST) > 0 ? LONGEST : duration;
        }
    }
}
