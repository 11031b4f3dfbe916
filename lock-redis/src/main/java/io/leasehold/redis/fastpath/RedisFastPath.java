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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decorates the plain backend. A lock that is free and for which no caller waits is acquired and released in one
 * script, together with the calls that arrive before the script is written; see {@link ScriptBatch}. Busy and contended
 * locks, all other special cases and renewals are delegated to the decorated backend.
 */
public final class RedisFastPath extends DelegatingLockBackend {

    private final Supplier<@Nullable StatefulRedisConnection<byte[], byte[]>> connection;

    private final ContentionFilter contention = new ContentionFilter();

    private final ScriptBatch.Sender batches;

    /**
     * Creates a fast path over a connection.
     *
     * @param delegate the plain backend
     * @param connection returns the connection to the single server, {@code null} while it is not open
     * @param fenceRetention how long a fencing counter is kept after its last grant
     */
    RedisFastPath(
            LockBackend delegate,
            Supplier<@Nullable StatefulRedisConnection<byte[], byte[]>> connection,
            Duration fenceRetention) {
        super(delegate);
        this.connection = connection;
        this.batches = new ScriptBatch.Sender(RedisKeys.bytes(fenceRetention.toMillis()), contention);
    }

    /**
     * Decorates a backend if its client permits it. All keys must be on one server, and no replica must have to confirm
     * grants; otherwise every call needs the plain backend.
     *
     * @param plain the backend to decorate
     * @param client the client that the backend uses
     * @param fenceRetention how long a fencing counter is kept after its last grant
     * @return the decorated backend, or the given one
     */
    public static LockBackend around(LockBackend plain, LettuceClientAdapter client, Duration fenceRetention) {
        return client.isCluster() || client.minReplicas(true) > 0
                ? plain
                : new RedisFastPath(plain, client::connection, fenceRetention);
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
        return send(new FastPathCall.Acquire(command, delegate()));
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
        return command.retainFor().isZero()
                ? send(new FastPathCall.Release(command, delegate()))
                : super.release(command);
    }

    private <T> CompletionStage<T> send(FastPathCall<T> call) {
        StatefulRedisConnection<byte[], byte[]> shared = contention.isLikely(call.id()) ? null : connection.get();
        if (shared == null) {
            call.fallBack();
        } else {
            batches.send(shared, call);
        }
        return call;
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
