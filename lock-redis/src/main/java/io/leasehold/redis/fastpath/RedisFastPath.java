package io.leasehold.redis.fastpath;

import io.leasehold.redis.client.RedisKeys;
import io.leasehold.redis.lettuce.LettuceClientAdapter;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.DelegatingLockBackend;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decorates the plain backend. Acquires and releases locks that are free and for which no caller waits.
 *
 * <ol>
 *   <li>A lock that was recently granted to this process is acquired by two plain commands; see
 *       {@link CachedFenceCommands}.
 *   <li>Any other lock is acquired and released in one script, together with the calls that arrive before the script is
 *       written; see {@link ScriptBatch}.
 *   <li>Busy and contended locks, all other special cases and renewals are delegated to the decorated backend.
 * </ol>
 */
public final class RedisFastPath extends DelegatingLockBackend {

    private final Supplier<@Nullable StatefulRedisConnection<byte[], byte[]>> connection;

    private final LongSupplier nanoTime;

    private final ContentionFilter contention = new ContentionFilter();

    private final FenceCache fences = new FenceCache();

    private final CachedFenceCommands cachedFenceCommands;

    private final ScriptBatch.Sender batches;

    /**
     * Creates a fast path over a connection.
     *
     * @param delegate the plain backend
     * @param connection returns the connection to the single server, {@code null} while it is not open
     * @param fenceRetention how long a fencing counter is kept after its last grant
     * @param nanoTime a monotonic clock in nanoseconds
     * @param onMissingFence called before the delegate can encounter a lease without a fencing token of its own
     */
    RedisFastPath(
            LockBackend delegate,
            Supplier<@Nullable StatefulRedisConnection<byte[], byte[]>> connection,
            Duration fenceRetention,
            LongSupplier nanoTime,
            Runnable onMissingFence) {
        super(delegate);
        this.connection = connection;
        this.nanoTime = nanoTime;
        this.cachedFenceCommands = new CachedFenceCommands(contention, fences, nanoTime, onMissingFence);
        this.batches =
                new ScriptBatch.Sender(RedisKeys.fenceRetention(fenceRetention), contention, cachedFenceCommands);
    }

    /**
     * Decorates a backend if its client permits it. All keys must be on one server, and no replica must have to confirm
     * grants; otherwise every call needs the plain backend.
     *
     * @param plain the backend to decorate
     * @param client the client that the backend uses
     * @param fenceRetention how long a fencing counter is kept after its last grant
     * @param onMissingFence called before the backend can encounter a lease without a fencing token of its own
     * @return the decorated backend, or the given one
     */
    public static LockBackend around(
            LockBackend plain, LettuceClientAdapter client, Duration fenceRetention, Runnable onMissingFence) {
        if (client.isCluster() || client.minReplicas(true) > 0) {
            return plain;
        }
        RedisFastPath path =
                new RedisFastPath(plain, client::connection, fenceRetention, client.nanoTime(), onMissingFence);
        client.onDisconnect(path::connectionBroke);
        return path;
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
        // the clock and the generation are read before the call is sent: an answer from a former connection is then
        // recognised, and the age of an answer is never underestimated
        FastPathCall.Acquire call =
                new FastPathCall.Acquire(command, delegate(), nanoTime.getAsLong(), fences.generation());
        StatefulRedisConnection<byte[], byte[]> shared = connectionFor(call);
        if (shared == null) {
            return call;
        }
        FenceCache.Entry known = fences.find(command.id());
        if (known != null && known.canBeRaised(call.startedAt()) && cachedFenceCommands.hasRoom()) {
            cachedFenceCommands.acquire(shared, call, known);
        } else {
            batches.send(shared, call);
        }
        return call;
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
        if (!command.retainFor().isZero()) {
            return super.release(command);
        }
        FastPathCall.Release call = new FastPathCall.Release(command, delegate());
        StatefulRedisConnection<byte[], byte[]> shared = connectionFor(call);
        if (shared == null) {
            return call;
        }
        FenceCache.Entry known = fences.find(call.id());
        if (known != null && known.reacquired() && cachedFenceCommands.hasRoom()) {
            cachedFenceCommands.release(shared, call);
        } else {
            batches.send(shared, call);
        }
        return call;
    }

    /**
     * Clears the cached counters. The next connection may lead to another server, or to a server that lost its last
     * writes.
     */
    void connectionBroke() {
        fences.clear();
    }

    private @Nullable StatefulRedisConnection<byte[], byte[]> connectionFor(FastPathCall<?> call) {
        StatefulRedisConnection<byte[], byte[]> shared = contention.isLikely(call.id()) ? null : connection.get();
        if (shared == null) {
            call.fallBack();
        }
        return shared;
    }

    /** Predicts which locks are contended, because they were recently. A wrong prediction costs one command. */
    static final class ContentionFilter {

        private static final int SLOTS = 256;

        private static final byte ASSUMED = 16;

        /** Written without synchronisation, because a lost update is only a wrong prediction. */
        private final byte[] times = new byte[SLOTS];

        void found(LockId id) {
            times[slot(id)] = ASSUMED;
        }

        boolean isLikely(LockId id) {
            int slot = slot(id);
            byte left = times[slot];
            if (left == 0) {
                return false;
            }
            times[slot] = (byte) (left - 1);
            return true;
        }

        private static int slot(LockId id) {
            int hash = id.hashCode();
            return (hash ^ hash >>> 16) & SLOTS - 1;
        }
    }
}
