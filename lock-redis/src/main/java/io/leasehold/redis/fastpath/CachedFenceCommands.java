package io.leasehold.redis.fastpath;

import static java.lang.Boolean.FALSE;
import static java.lang.Boolean.TRUE;

import io.leasehold.redis.client.RedisErrors;
import io.leasehold.redis.client.RedisKeys;
import io.leasehold.redis.client.RedisScript;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Acquires and releases locks whose fencing counter is cached because this process was their last holder. Fencing
 * tokens increase regardless of the cache, because the stored counter only increases. The cached counter guards against
 * a server that has lost its most recent writes: if the stored counter differs from the cached one, or lags the
 * server's clock, the lock is acquired by script instead. The cache is cleared when the connection breaks. If a proxy
 * hides the break, tokens still increase if the outage lasts longer than 0.2 s.
 */
final class CachedFenceCommands {

    static final RedisScript RELEASE =
            RedisScript.of(CachedFenceCommands.class, "release_uncontended.lua", RedisScript.Answer.INTEGER);

    private static final Duration LONGEST_ANSWER = Duration.ofMillis(50);

    private static final int MOST_IN_FLIGHT = 12;

    private final RedisFastPath.ContentionFilter contention;

    private final FenceCache fences;

    private final LongSupplier nanoTime;

    private final Runnable onMissingFence;

    private final AtomicInteger inFlight = new AtomicInteger();

    private volatile @Nullable Long refusedAt;

    /**
     * Creates commands that use a cache.
     *
     * @param contention records the busy locks
     * @param nanoTime a monotonic clock in nanoseconds
     * @param onMissingFence called before a lease without a fencing token of its own can be encountered
     */
    CachedFenceCommands(
            RedisFastPath.ContentionFilter contention,
            FenceCache fences,
            LongSupplier nanoTime,
            Runnable onMissingFence) {
        this.contention = contention;
        this.fences = fences;
        this.nanoTime = nanoTime;
        this.onMissingFence = onMissingFence;
    }

    /**
     * Caches a grant by script, if the answer arrived within 50 ms and Redis has not refused plain commands recently.
     */
    void granted(FastPathCall.Acquire call, long first, long clock) {
        long now = nanoTime.getAsLong();
        Long refused = refusedAt;
        boolean isRefused = refused != null && now - refused < RedisKeys.FENCE_CACHE_LIFETIME.toNanos();
        if (!isRefused && now - call.startedAt() < LONGEST_ANSWER.toNanos()) {
            fences.put(
                    FenceCache.Entry.granted(call.id(), first + call.fencingTokens() - 1, clock, now),
                    call.generation());
        }
    }

    /** Whether few enough commands are in flight. Beyond that number, one script for several calls is faster. */
    boolean hasRoom() {
        return inFlight.get() < MOST_IN_FLIGHT;
    }

    void released(FastPathCall.Release call) {
        fences.released(call.id());
    }

    void acquire(
            StatefulRedisConnection<byte[], byte[]> connection, FastPathCall.Acquire call, FenceCache.Entry known) {
        SetAndIncrement sent = SetAndIncrement.of(call);
        inFlight.incrementAndGet();
        sent.whenComplete((counter, failure) -> {
            inFlight.decrementAndGet();
            if (failure == null && TRUE.equals(sent.hasTaken()) && isAsKnown(call, known, counter)) {
                call.answered(counter - call.fencingTokens() + 1);
            } else {
                // evicted before the call starts over, so that the next call does not use the same wrong entry
                fences.replace(known, null);
                startOver(call, sent.hasTaken(), failure);
            }
        });
        call.cancels(sent);
        sent.send(connection);
    }

    void release(StatefulRedisConnection<byte[], byte[]> connection, FastPathCall.Release call) {
        inFlight.incrementAndGet();
        release(connection, call, UncontendedRelease.of(call));
    }

    private void release(
            StatefulRedisConnection<byte[], byte[]> connection, FastPathCall.Release call, UncontendedRelease sent) {
        sent.whenComplete((answer, failure) -> {
            if (failure != null && RedisErrors.isUnknownScript(failure) && !sent.isBySource()) {
                release(connection, call, sent.bySource());
                return;
            }
            inFlight.decrementAndGet();
            if (failure != null) {
                call.failed(failure);
            } else if (answer == 0) {
                contention.found(call.id());
                call.fallBack();
            } else {
                // the cache is updated before the caller gets the answer, because its next acquisition may follow
                // immediately
                released(call);
                call.answered(answer);
            }
        });
        call.cancels(sent);
        sent.send(connection);
    }

    private boolean isAsKnown(FastPathCall.Acquire call, FenceCache.Entry known, long counter) {
        FenceCache.Entry raised = known.raised(call.fencingTokens());
        // the entry is replaced last: this fails if the cache was cleared in the meantime, and the grant then does not
        // count
        return counter == raised.last()
                && nanoTime.getAsLong() - call.startedAt() < LONGEST_ANSWER.toNanos()
                && fences.replace(known, raised);
    }

    private void startOver(FastPathCall.Acquire call, @Nullable Boolean taken, @Nullable Throwable failure) {
        if (failure != null && RedisErrors.isNotPermitted(failure)) {
            refusedAt = nanoTime.getAsLong();
        }
        if (!FALSE.equals(taken)) {
            // before the call ends or falls back: the plain backend, or the caller's next attempt with the same token,
            // must assign a fencing token to the lease that may exist
            onMissingFence.run();
        }
        if (taken == null && failure != null) {
            call.failed(failure);
        } else if (TRUE.equals(taken)) {
            call.releaseAndFallBack();
        } else {
            contention.found(call.id());
            call.fallBack();
        }
    }

    /**
     * Acquires a lock and raises its fencing counter by two plain commands in one write, which cost Redis less than a
     * script. Completes with the counter. The counter is raised even if another caller holds the lock; this only skips
     * some numbers.
     */
    private static final class SetAndIncrement extends AsyncCommand<byte[], byte[], Long> {

        private final Command<byte[], byte[], String> set;

        private SetAndIncrement(Command<byte[], byte[], String> set, Command<byte[], byte[], Long> increment) {
            super(increment);
            this.set = set;
        }

        static SetAndIncrement of(FastPathCall.Acquire call) {
            CommandArgs<byte[], byte[]> set = new CommandArgs<>(ByteArrayCodec.INSTANCE)
                    .addKey(RedisKeys.lock(call.id()))
                    .addValue(call.token())
                    .add("NX")
                    .add("PX")
                    .add(call.ttlMillis());
            CommandArgs<byte[], byte[]> increment = new CommandArgs<>(ByteArrayCodec.INSTANCE)
                    .addKey(RedisKeys.fence(call.id()))
                    .add(call.fencingTokens());
            return new SetAndIncrement(
                    new Command<>(CommandType.SET, new StatusOutput<>(ByteArrayCodec.INSTANCE), set),
                    new Command<>(CommandType.INCRBY, new IntegerOutput<>(ByteArrayCodec.INSTANCE), increment));
        }

        void send(StatefulRedisConnection<byte[], byte[]> connection) {
            try {
                // SET first: when the counter is answered, the result of SET is known
                connection.dispatch(List.of(set, this));
            } catch (RuntimeException ex) {
                set.completeExceptionally(ex);
                completeExceptionally(ex);
            }
        }

        /** Whether the lock was taken, after this command has completed; {@code null} if unknown. */
        @Nullable
        Boolean hasTaken() {
            boolean answered =
                    set.isDone() && !set.isCancelled() && !set.getOutput().hasError();
            return answered ? set.getOutput().get() != null : null;
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            set.cancel();
            return super.cancel(mayInterruptIfRunning);
        }
    }

    /** Releases a lock for which no caller waits. Otherwise has no effect and completes with 0. */
    private static final class UncontendedRelease extends AsyncCommand<byte[], byte[], Long> {

        private final FastPathCall.Release call;

        private UncontendedRelease(FastPathCall.Release call, Command<byte[], byte[], Long> script) {
            super(script);
            this.call = call;
        }

        static UncontendedRelease of(FastPathCall.Release call) {
            return script(call, CommandType.EVALSHA, RELEASE.digestBytes());
        }

        /** Returns the same release by source, for a Redis that does not know the script yet. */
        UncontendedRelease bySource() {
            return script(call, CommandType.EVAL, RELEASE.source());
        }

        boolean isBySource() {
            return getType() == CommandType.EVAL;
        }

        void send(StatefulRedisConnection<byte[], byte[]> connection) {
            try {
                connection.dispatch(this);
            } catch (RuntimeException ex) {
                completeExceptionally(ex);
            }
        }

        private static UncontendedRelease script(FastPathCall.Release call, CommandType type, byte[] script) {
            CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE)
                    .add(script)
                    .add(2)
                    .addKey(RedisKeys.lock(call.id()))
                    .addKey(RedisKeys.queue(call.id()))
                    .addValue(call.token());
            return new UncontendedRelease(
                    call, new Command<>(type, new IntegerOutput<>(ByteArrayCodec.INSTANCE), arguments));
        }
    }
}
