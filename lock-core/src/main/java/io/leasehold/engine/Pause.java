package io.leasehold.engine;

import io.leasehold.spi.AcquireAnswer.Busy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time between two commands of a waiting caller. It ends by the clock, with jitter over the whole of it, so that
 * callers that met do not meet again; or earlier when the store gives a hint. Who stands in a line meets nobody, and so
 * waits for at least half of the time.
 *
 * @param until when to ask again at the latest
 * @param turn ends when the store thinks that it is worth asking; {@code null} if it gives no hints
 */
record Pause(long until, @Nullable CompletableFuture<?> turn) {

    private static final long LEAST = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long LONGEST_WITHOUT_HINT = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long LONGEST_AFTER_FAILURE = TimeUnit.MILLISECONDS.toNanos(500);

    static Pause afterBusy(Busy busy, long now, long deadline) {
        long longest =
                busy.turn() == null ? LONGEST_WITHOUT_HINT : busy.patience().toNanos();
        long remaining = Math.max(LEAST, busy.remaining().toNanos() + LEAST);
        long most = Math.min(remaining, longest);
        long least = busy.inLine() && busy.turn() != null ? most / 2 : 0;
        return new Pause(earlier(now + least + jittered(most - least), deadline), busy.turn());
    }

    static Pause afterFailure(int failures, long now, long deadline) {
        long longest = Math.min(LONGEST_AFTER_FAILURE, (10 * LEAST) << Math.min(failures, 6));
        return new Pause(earlier(now + jittered(longest), deadline), null);
    }

    boolean isOver(long now) {
        return now - until >= 0 || turn != null && turn.isDone();
    }

    void giveUp() {
        if (turn != null) {
            turn.cancel(false);
        }
    }

    private static long jittered(long longest) {
        return LEAST + ThreadLocalRandom.current().nextLong(Math.max(1, longest));
    }

    private static long earlier(long a, long b) {
        return a - b < 0 ? a : b;
    }
}
