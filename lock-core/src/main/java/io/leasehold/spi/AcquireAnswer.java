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
     * Somebody else holds the lock.
     *
     * @param remaining how long the holder's lease runs if it is not renewed
     * @param turn ends, in whatever way, when it seems worth asking again; a hint, which may be early, late or never
     *     come. The engine cancels it when it stops waiting. {@code null} if the store gives no hints
     * @param inLine whether the token stands in a line that the store keeps. Then the next command has to carry the same
     *     token, and a caller who gives up releases it
     * @param patience the longest that it is worth relying on the turn: whoever waits asks again by then, in case the hint
     *     was lost. Without a turn it means nothing
     */
    record Busy(Duration remaining, @Nullable CompletableFuture<?> turn, boolean inLine, Duration patience)
            implements AcquireAnswer {

        private static final Duration PATIENCE = Duration.ofMillis(500);

        private static final Duration LONGEST = Duration.ofDays(365);

        /** Bounds what a store may have read from a foreign lock: never negative, no longer than a year. */
        public Busy {
            remaining = bounded(remaining);
            patience = bounded(patience);
        }

        /**
         * A busy lock whose hints are relied on for half a second.
         *
         * @param remaining how long the holder's lease runs if it is not renewed
         * @param turn ends when it seems worth asking again, {@code null} if the store gives no hints
         * @param inLine whether the token stands in a line that the store keeps
         */
        public Busy(Duration remaining, @Nullable CompletableFuture<?> turn, boolean inLine) {
            this(remaining, turn, inLine, PATIENCE);
        }

        /**
         * A busy lock of a store that gives no hints and keeps no line.
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
