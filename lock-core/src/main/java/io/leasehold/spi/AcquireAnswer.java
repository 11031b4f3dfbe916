package io.leasehold.spi;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What a store answers to an {@link AcquireCommand}. */
public sealed interface AcquireAnswer {

    /**
     * The lease was granted, or was there already under the same token.
     *
     * @param firstFence the first of the reserved fencing tokens; greater than all that were reserved for this lock
     *     before
     * @param validity how long the lease runs, counted from before the command was sent, if the store knows it to be
     *     less than the ttl; otherwise {@code null}
     */
    record Granted(long firstFence, @Nullable Duration validity) implements AcquireAnswer {

        /**
         * A grant for the whole ttl.
         *
         * @param firstFence the first of the reserved fencing tokens
         */
        public Granted(long firstFence) {
            this(firstFence, null);
        }
    }

    /**
     * Another holder has the lock.
     *
     * @param remaining how long the holder's lease runs if it is not renewed
     * @param wakeup completes, in whatever way, when it seems worth asking again. It is a hint: it may be early or late, or
     *     never come. The engine cancels it when it stops waiting. {@code null} if the store gives no hints
     * @param queued whether the token stands in a queue that the store keeps. Then the next command has to carry the same
     *     token, and a caller that gives up releases it
     * @param retryAfter the longest time for which to rely on the wake-up: a waiter asks again by then, in case the hint was
     *     lost. Without a wake-up it means nothing
     */
    record Busy(Duration remaining, @Nullable CompletableFuture<?> wakeup, boolean queued, Duration retryAfter)
            implements AcquireAnswer {

        private static final Duration DEFAULT_RETRY = Duration.ofMillis(500);

        private static final Duration LONGEST = Duration.ofDays(365);

        /** Bounds what a store may have read from a foreign lock: never negative, no longer than a year. */
        public Busy {
            remaining = bounded(remaining);
            retryAfter = bounded(retryAfter);
        }

        /**
         * A busy lock whose hints are relied on for half a second.
         *
         * @param remaining how long the holder's lease runs if it is not renewed
         * @param wakeup completes when it seems worth asking again; {@code null} if the store gives no hints
         * @param queued whether the token stands in a queue that the store keeps
         */
        public Busy(Duration remaining, @Nullable CompletableFuture<?> wakeup, boolean queued) {
            this(remaining, wakeup, queued, DEFAULT_RETRY);
        }

        /**
         * A busy lock of a store that gives no hints and keeps no queue.
         *
         * @param remaining how long the holder's lease runs if it is not renewed
         */
        public Busy(Duration remaining) {
            this(remaining, null, false);
        }

        private static Duration bounded(Duration duration) {
            if (duration.isNegative()) {
                return Duration.ZERO;
            }
            return duration.compareTo(LONGEST) > 0 ? LONGEST : duration;
        }
    }
}
