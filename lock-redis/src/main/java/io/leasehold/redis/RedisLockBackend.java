package io.leasehold.redis;

import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.SafetyFinding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Keeps leases in Redis, each operation as one script.
 *
 * <ol>
 *   <li>Acquire: sets the lock key to the token if it is not there; mints fencing tokens as the greater of the last one
 *       plus one and the server's time in microseconds. If the lock is taken and the caller waits, the token joins a
 *       queue.
 *   <li>Renew: prolongs the keys that still hold their tokens, up to {@value #BATCH} in one script; in a Redis Cluster
 *       one script per key, since they lie in many slots.
 *   <li>Release: deletes the key if it holds the token, and wakes the first in the queue, no one else. For a moment the
 *       lock is kept for the one who was woken; a waiter that is gone is passed over.
 * </ol>
 *
 * <p>Over Lettuce and outside of clusters, locks that are free are taken and given back in one script for all callers who
 * come while the one before is not written yet, or by each caller itself, see {@link QuickLane}; nobody waits for company.
 *
 * <p>Where replicas have to confirm leases, {@code WAIT} follows every script that granted or prolonged one, on the same
 * connection. A grant that too few confirm is none, and its token is removed; a renewal that too few confirm counts as not
 * answered, so that a holder who speaks to a master that nobody else listens to does not believe it for longer than a ttl.
 *
 * <p>With Lettuce it has a connection of its own, set up as the given factory's, but with a quick reconnect and flushes
 * that take several commands along, and one for messages as soon as somebody waits. A command is written to one connection
 * once, see {@link WrittenOnceHandler}. Other clients are called on a small executor, and waiters poll.
 */
public final class RedisLockBackend implements LockBackend {

    private static final int BATCH = 500;

    private static final Duration FOREVER = Duration.ofDays(1);

    private static final byte[] NOTHING = new byte[0];

    private static final byte[] PREFERENCE_MICROS = RedisKeys.bytes(TimeUnit.MILLISECONDS.toMicros(100));

    private final RedisConnectionFactory factory;

    private final RedisClientAdapter link;

    private final byte[] fenceRetention;

    private final Runnable closeFactory;

    private volatile boolean keyByKey;

    /**
     * Creates a backend. It begins to connect at once, in the background; if that fails, its use makes it try again.
     *
     * @param factory how to reach Redis
     * @param options how locks are kept
     */
    public RedisLockBackend(RedisConnectionFactory factory, RedisLockOptions options) {
        this(factory, options, () -> {});
    }

    private RedisLockBackend(RedisConnectionFactory factory, RedisLockOptions options, Runnable closeFactory) {
        this.closeFactory = closeFactory;
        this.factory = factory;
        this.link = factory instanceof LettuceConnectionFactory lettuce
                ? LettuceClientAdapter.like(lettuce, options)
                : new BlockingClientAdapter(factory, options);
        this.fenceRetention = RedisKeys.retention(options.fenceRetention());
        this.keyByKey = link.isCluster();
    }

    /**
     * Creates a backend that shares no connection with others.
     *
     * @param server where Redis is, and who logs in
     * @param client how to connect
     * @param options how locks are kept
     * @return the backend, which closes its connections when it is closed
     */
    public static RedisLockBackend of(
            RedisStandaloneConfiguration server, LettuceClientConfiguration client, RedisLockOptions options) {
        LettuceConnectionFactory factory = new LettuceConnectionFactory(server, client);
        factory.afterPropertiesSet();
        factory.start();
        return new RedisLockBackend(factory, options, factory::destroy);
    }

    @Override
    public CompletionStage<Void> connect() {
        return link.connect();
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
        QuickLane quick = link.quickLane();
        return quick == null ? ask(command) : quick.acquire(command, () -> ask(command), () -> undo(command));
    }

    private CompletableFuture<AcquireAnswer> ask(AcquireCommand command) {
        WakeupSubscription turns = link.turns();
        CompletableFuture<AcquireAnswer> answer = acquire(command, turns);
        return command.queueIfBusy() && turns == null
                ? new FirstWaiterAcquisition(answer, link, command, this::acquire)
                : answer;
    }

    private CompletableFuture<AcquireAnswer> acquire(AcquireCommand command, @Nullable WakeupSubscription turns) {
        LockId id = command.id();
        QuickLane quick = link.quickLane();
        WakeupSubscription.Wakeup turn = turns == null || !command.queueIfBusy()
                ? null
                : turns.await(command.token().value());
        CompletableFuture<Long> reply = link.grants()
                .run(
                        RedisScript.ACQUIRE,
                        new byte[][] {RedisKeys.lock(id), RedisKeys.fence(id), RedisKeys.queue(id)},
                        command.token().bytes(),
                        RedisKeys.bytes(command.ttl().toMillis()),
                        RedisKeys.bytes(command.fencingTokens()),
                        fenceRetention,
                        turns == null ? NOTHING : turns.channel(),
                        PREFERENCE_MICROS,
                        countsReceivers(),
                        RedisKeys.bytes(turn == null ? 0 : 1),
                        RedisKeys.bytes(quick != null && quick.isUnsettled() ? 1 : 0));
        return ScriptReply.of(reply, answer -> acquireAnswer(answer, turn), () -> cancel(turn));
    }

    @Override
    public CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands) {
        if (commands.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        return keyByKey ? renew(commands, 1) : new TogetherOrKeyByKey(commands);
    }

    private CompletableFuture<List<RenewAnswer>> renew(List<RenewCommand> commands, int batch) {
        if (commands.size() <= batch) {
            return renewBatch(commands);
        }
        List<CompletableFuture<List<RenewAnswer>>> batches = new ArrayList<>();
        for (int start = 0; start < commands.size(); start += batch) {
            batches.add(renewBatch(commands.subList(start, Math.min(commands.size(), start + batch))));
        }
        return RenewScript.together(batches, commands.size(), batch);
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
        QuickLane quick = link.quickLane();
        return quick == null || !command.retainFor().isZero()
                ? giveBack(command)
                : quick.release(new QuickRelease(command, () -> giveBack(command)));
    }

    private CompletableFuture<ReleaseAnswer> undo(AcquireCommand command) {
        return giveBack(new ReleaseCommand(command.id(), command.token(), Duration.ZERO));
    }

    private CompletableFuture<ReleaseAnswer> giveBack(ReleaseCommand command) {
        LockId id = command.id();
        WakeupSubscription turns = link.turns();
        CompletableFuture<Long> reply = link.scripts()
                .run(
                        RedisScript.RELEASE,
                        new byte[][] {RedisKeys.lock(id), RedisKeys.queue(id)},
                        command.token().bytes(),
                        RedisKeys.bytes(ceilMillis(command.retainFor())),
                        turns == null ? NOTHING : turns.channel(),
                        countsReceivers());
        return ScriptReply.of(
                reply, answer -> answer == 1 ? ReleaseAnswer.RELEASED : ReleaseAnswer.NOT_OWNER, () -> {});
    }

    @Override
    public CompletionStage<List<SafetyFinding>> inspect() {
        return RedisInspection.of(factory, link);
    }

    @Override
    public CompletionStage<OptionalLong> clockMillis() {
        return RedisInspection.clockMillis(factory);
    }

    @Override
    public void close() {
        link.close();
        closeFactory.run();
    }

    /** The nodes of a cluster each know of their own subscribers only. */
    private byte[] countsReceivers() {
        return RedisKeys.bytes(keyByKey ? 0 : 1);
    }

    RedisClientAdapter link() {
        return link;
    }

    private CompletableFuture<List<RenewAnswer>> renewBatch(List<RenewCommand> commands) {
        RenewScript batch = new RenewScript(commands);
        CompletableFuture<byte[]> reply = link.renewals().run(RedisScript.RENEW, batch.keys(), batch.arguments());
        return ScriptReply.of(reply, RenewScript::parse, () -> {});
    }

    private static AcquireAnswer acquireAnswer(long answer, WakeupSubscription.@Nullable Wakeup turn) {
        if (answer > 0) {
            cancel(turn);
            return new Granted(answer);
        }
        Duration remaining = answer == 0 ? FOREVER : Duration.ofMillis(-1 - answer);
        return new Busy(remaining, turn, turn != null);
    }

    private static void cancel(WakeupSubscription.@Nullable Wakeup turn) {
        if (turn != null) {
            turn.cancel(false);
        }
    }

    private static long ceilMillis(Duration duration) {
        return duration.plusNanos(999_999).toMillis();
    }

    /** A cluster behind a client for a single Redis refuses keys of several slots, and says so before it does anything. */
    private final class TogetherOrKeyByKey extends CompletableFuture<List<RenewAnswer>> {

        private volatile CompletableFuture<List<RenewAnswer>> underWay;

        TogetherOrKeyByKey(List<RenewCommand> commands) {
            underWay = renew(commands, BATCH);
            underWay.whenComplete((answers, failure) -> {
                if (failure != null && RedisErrors.isOfSeveralSlots(failure) && !isDone()) {
                    keyByKey = true;
                    underWay = renew(commands, 1);
                    underWay.whenComplete(this::end);
                } else {
                    end(answers, failure);
                }
            });
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            underWay.cancel(mayInterruptIfRunning);
            return cancelled;
        }

        private void end(@Nullable List<RenewAnswer> answers, @Nullable Throwable failure) {
            if (failure != null) {
                completeExceptionally(RedisErrors.of(failure));
            } else {
                complete(answers);
            }
        }
    }
}
