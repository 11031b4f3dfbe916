package io.leasehold.redis;

import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.ReleaseAnswer;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes and gives back locks that are free and that nobody waits for: one that was granted here a moment ago by plain
 * commands, any other in a script that it shares with those who come at the same time.
 */
final class QuickLane {

    private final Supplier<@Nullable StatefulRedisConnection<byte[], byte[]>> connection;

    private final LongSupplier nanoTime;

    private final RecentlyBusy busy = new RecentlyBusy();

    private final KnownFences fences = new KnownFences();

    private final RepeatLane repeats;

    private final BatchLane batches;

    QuickLane(
            Supplier<@Nullable StatefulRedisConnection<byte[], byte[]>> connection,
            Duration fenceRetention,
            LongSupplier nanoTime) {
        this.connection = connection;
        this.nanoTime = nanoTime;
        this.repeats = new RepeatLane(busy, fences, nanoTime);
        this.batches = new BatchLane(RedisKeys.retention(fenceRetention), busy, repeats);
    }

    /**
     * Takes a lock.
     *
     * @param command what to acquire
     * @param longWay asks for it in the way that is always right
     * @param undo gives the lock back if it is the caller's
     */
    CompletableFuture<AcquireAnswer> acquire(
            AcquireCommand command,
            Supplier<CompletableFuture<AcquireAnswer>> longWay,
            Supplier<CompletableFuture<ReleaseAnswer>> undo) {
        QuickAcquire call = new QuickAcquire(command, longWay, undo, nanoTime.getAsLong(), fences.era());
        StatefulRedisConnection<byte[], byte[]> shared = connectionFor(call);
        if (shared == null) {
            return call;
        }
        KnownFence known = fences.find(command.id());
        if (known != null && known.canBeRaised(call.begun()) && repeats.hasRoom()) {
            repeats.acquire(shared, call, known);
        } else {
            batches.send(shared, call);
        }
        return call;
    }

    CompletableFuture<ReleaseAnswer> release(QuickRelease call) {
        StatefulRedisConnection<byte[], byte[]> shared = connectionFor(call);
        if (shared == null) {
            return call;
        }
        KnownFence known = fences.find(call.id());
        if (known != null && known.again() && repeats.hasRoom()) {
            repeats.release(shared, call);
        } else {
            batches.send(shared, call);
        }
        return call;
    }

    /** Whether a lock may ever have been taken here without a number of its own. */
    boolean isUnsettled() {
        return repeats.isUnsettled();
    }

    /** The server may be another, or have lost what it had last. */
    void connectionBroke() {
        fences.forgetAll();
    }

    private @Nullable StatefulRedisConnection<byte[], byte[]> connectionFor(QuickCall<?> call) {
        StatefulRedisConnection<byte[], byte[]> shared = busy.isLikely(call.id()) ? null : connection.get();
        if (shared == null) {
            call.takeLongWay();
        }
        return shared;
    }
}
