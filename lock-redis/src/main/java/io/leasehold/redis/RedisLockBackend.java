package io.leasehold.redis;

import io.leasehold.ForcedRelease;
import io.leasehold.LockListing;
import io.leasehold.LockState;
import io.leasehold.redis.client.BlockingClientAdapter;
import io.leasehold.redis.client.CancellableCall;
import io.leasehold.redis.client.RedisClientAdapter;
import io.leasehold.redis.client.RedisKeys;
import io.leasehold.redis.client.RedisScript;
import io.leasehold.redis.client.WakeupSubscription;
import io.leasehold.redis.fastpath.RedisFastPath;
import io.leasehold.redis.lettuce.LettuceClientAdapter;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.Instance;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.SafetyFinding;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Keeps leases in Redis. Each operation is one script.
 *
 * <ol>
 *   <li>Acquire: sets the lock key to the token if the key does not exist. The new fencing token is the greater of the
 *       last one plus one and the server's time in microseconds. If the lock is taken and the caller waits, the token
 *       joins a queue.
 *   <li>Renew: extends the keys that still hold their tokens, many of them with one script (see
 *       {@code Renewals}). The fencing counter is kept with them, because it names the lease.
 *   <li>Release: sets the key to the token of the first waiter in the queue, and sends that waiter its fencing token.
 *       The waiter renews the lease at once, because it lasts for at most a second until then. A waiter that does not
 *       expect this is notified, and the lock is reserved for it for 100 ms. Waiters that are gone are skipped.
 * </ol>
 *
 * <p>This is the plain backend. With Lettuce and outside of clusters, {@link RedisFastPath} decorates it. The fast path
 * acquires and releases free locks, and delegates all other operations to this backend.
 *
 * <p>If replicas have to confirm leases, {@code WAIT} follows every script that granted or extended a lease, on the
 * same connection. A grant that too few replicas confirm does not count, and its token is removed. A renewal that too
 * few replicas confirm counts as unanswered. The holder of a lock on an isolated master therefore relies on it for no
 * longer than a ttl. Outside of clusters, replicas also confirm releases, and answers that a lease does not exist, which
 * a deposed master may give although the present one has the lease. A master that was promoted or restarted may lack
 * leases that replicas have confirmed. It grants no lock for a grace period.
 *
 * <p>With Lettuce the backend has its own connection, configured like the connections of the given factory, but with a
 * fast reconnect and with flushes that combine several commands. It opens a second connection for messages when a
 * caller waits for the first time. A command is written to at most one connection, and only once; see
 * {@code WrittenOnceHandler}. Other clients are called on a small executor, and waiters poll.
 */
public final class RedisLockBackend implements LockBackend {

    static final RedisScript ACQUIRE =
            RedisScript.of(RedisLockBackend.class, "acquire.lua", RedisScript.Answer.INTEGER, RedisScript::ofGrant);

    static final RedisScript RELEASE =
            RedisScript.of(RedisLockBackend.class, "release.lua", RedisScript.Answer.INTEGER, RedisScript::ofChange);

    private static final long LONGEST_OPENING_MILLIS = 200;

    private static final Duration FOREVER = Duration.ofDays(1);

    private static final byte[] NOTHING = new byte[0];

    private static final byte[] PREFERENCE_MICROS = RedisKeys.bytes(TimeUnit.MILLISECONDS.toMicros(100));

    private final RedisClientAdapter client;

    private final RedisHolders holders;

    private final Renewals renewals;

    private final byte[] fenceRetention;

    private volatile @Nullable GracePeriod gracePeriod;

    private final Runnable closeFactory;

    private final GrantOnRelease grants;

    private volatile boolean inCluster;

    private RedisLockBackend(RedisClientAdapter client, RedisLockOptions options, Runnable closeFactory) {
        this.client = client;
        this.holders = new RedisHolders(client);
        this.fenceRetention = RedisKeys.bytes(options.fenceRetention().toMillis());
        this.renewals = new Renewals(client, fenceRetention, () -> inCluster, this::clusterFound);
        this.closeFactory = closeFactory;
        this.inCluster = client.isCluster();
        // in a cluster, the record of the master would be in another slot than the lock
        this.gracePeriod = inCluster ? null : GracePeriod.ifAny(client, options.gracePeriod());
        this.grants = GrantOnRelease.of(client, options, () -> inCluster);
    }

    /**
     * Creates a backend. Its first operation connects. If the attempt fails, the next operation starts another one.
     *
     * @param factory connects to Redis
     * @param options how locks are stored
     * @return the backend, decorated by the {@linkplain RedisLockOptions#fastPath() fast path} if it is enabled and
     *     applicable
     */
    public static LockBackend of(RedisConnectionFactory factory, RedisLockOptions options) {
        return of(client(factory, options), options, () -> {});
    }

    /**
     * Creates a backend with its own connections.
     *
     * @param server the address of Redis, and the credentials
     * @param client the configuration of the client
     * @param options how locks are stored
     * @return the backend, which closes its connections when it is closed
     */
    public static LockBackend of(
            RedisStandaloneConfiguration server, LettuceClientConfiguration client, RedisLockOptions options) {
        LettuceConnectionFactory factory = new LettuceConnectionFactory(server, client);
        factory.afterPropertiesSet();
        factory.start();
        return of(client(factory, options), options, factory::destroy);
    }

    static LockBackend of(RedisClientAdapter client, RedisLockOptions options, Runnable closeFactory) {
        RedisLockBackend plain = new RedisLockBackend(client, options, closeFactory);
        return options.fastPath() && client instanceof LettuceClientAdapter lettuce
                ? RedisFastPath.around(plain, lettuce, options.fenceRetention())
                : plain;
    }

    static RedisClientAdapter client(RedisConnectionFactory factory, RedisLockOptions options) {
        return factory instanceof LettuceConnectionFactory lettuce
                ? LettuceClientAdapter.like(lettuce, options::replicas)
                : new BlockingClientAdapter(factory, options::replicas);
    }

    @Override
    public CompletionStage<Void> connect() {
        return client.connect();
    }

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
        WakeupSubscription wakeups = client.subscription();
        CompletableFuture<AcquireAnswer> answer = acquire(command, wakeups);
        return command.queueIfBusy() && wakeups == null
                ? CancellableCall.repeatable(
                        answer, (first, failure) -> afterSubscribing(command, first), AcquireAnswer::discard)
                : answer;
    }

    /**
     * The first waiting caller of this process has no subscription for wake-ups. If the lock is busy, it opens the
     * subscription and acquires again, so that it is queued with a wake-up. If opening takes longer than 200 ms, it has
     * the busy answer, and polls meanwhile.
     */
    private CompletableFuture<@Nullable Supplier<CompletableFuture<AcquireAnswer>>> afterSubscribing(
            AcquireCommand command, @Nullable AcquireAnswer first) {
        if (!(first instanceof Busy)) {
            return CompletableFuture.completedFuture(null);
        }
        return client.openSubscription()
                .completeOnTimeout(null, LONGEST_OPENING_MILLIS, TimeUnit.MILLISECONDS)
                .thenApply(wakeups -> wakeups == null ? null : () -> acquire(command, wakeups));
    }

    private CompletableFuture<AcquireAnswer> acquire(AcquireCommand command, @Nullable WakeupSubscription wakeups) {
        // registered before the script is sent, because the notification may arrive before the answer of the script
        // that queues the token
        WakeupSubscription.Wakeup wakeup = wakeups == null || !command.queueIfBusy()
                ? null
                : wakeups.await(command.token().valueWithHolder(), grants.provisionalTtl(command));
        CompletableFuture<Long> reply;
        try {
            GracePeriod period = gracePeriod;
            reply = period == null
                    ? runAcquire(command, wakeups, wakeup, "")
                    : period.acquire(replicas -> runAcquire(command, wakeups, wakeup, replicas), this::clusterFound);
        } catch (Throwable ex) {
            reply = CompletableFuture.failedFuture(ex);
        }
        CompletableFuture<AcquireAnswer> answer =
                CancellableCall.ofReply(reply, number -> acquireAnswer(number, wakeup, grants.retryAfter(command)));
        if (wakeup != null) {
            answer.whenComplete((any, failure) -> {
                if (failure != null) {
                    cancel(wakeup);
                }
            });
        }
        return answer;
    }

    private CompletableFuture<Long> runAcquire(
            AcquireCommand command,
            @Nullable WakeupSubscription wakeups,
            WakeupSubscription.@Nullable Wakeup wakeup,
            String connectedReplicas) {
        // read again, because a cluster may have been found since
        GracePeriod period = gracePeriod;
        return client.grants()
                .run(
                        ACQUIRE,
                        acquireKeys(command, period != null),
                        command.token().bytesWithHolder(),
                        RedisKeys.bytes(command.ttl().toMillis()),
                        RedisKeys.bytes(command.fencingTokens()),
                        fenceRetention,
                        wakeups == null ? NOTHING : wakeups.channel(),
                        PREFERENCE_MICROS,
                        countsReceivers(),
                        RedisKeys.bytes(wakeup == null ? 0 : 1),
                        grants.expectation(command, wakeup),
                        grants.askedWithin(command),
                        RedisKeys.bytes(period == null ? 0 : period.replicas()),
                        RedisKeys.millis(period == null ? Duration.ZERO : period.lengthFor(command.ttl())),
                        RedisKeys.bytes(connectedReplicas));
    }

    private static byte[][] acquireKeys(AcquireCommand command, boolean withMaster) {
        LockId id = command.id();
        byte[] lock = RedisKeys.lock(id);
        byte[] fence = RedisKeys.fence(id);
        byte[] queue = RedisKeys.queue(id);
        byte[] expectation = RedisKeys.expectation(id, command.token());
        return withMaster
                ? new byte[][] {lock, fence, queue, expectation, RedisKeys.master()}
                : new byte[][] {lock, fence, queue, expectation};
    }

    /** Called when a cluster is found behind a client for a single Redis. */
    private void clusterFound() {
        inCluster = true;
        gracePeriod = null;
    }

    @Override
    public CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands) {
        return renewals.renew(commands);
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
        return release(command.id(), command.token().bytesWithHolder(), command.retainFor());
    }

    private CompletableFuture<ReleaseAnswer> release(LockId id, byte[] token, Duration retainFor) {
        WakeupSubscription wakeups = client.subscription();
        CompletableFuture<Long> reply = client.releases()
                .run(
                        RELEASE,
                        new byte[][] {RedisKeys.lock(id), RedisKeys.queue(id), RedisKeys.fence(id)},
                        token,
                        RedisKeys.millis(retainFor),
                        wakeups == null ? NOTHING : wakeups.channel(),
                        countsReceivers(),
                        grants.fenceRetention());
        return CancellableCall.ofReply(reply, answer -> answer == 1 ? ReleaseAnswer.RELEASED : ReleaseAnswer.NOT_OWNER);
    }

    @Override
    public CompletionStage<List<SafetyFinding>> inspect() {
        return RedisInspection.of(client);
    }

    @Override
    public CompletionStage<OptionalLong> clockMillis() {
        return RedisInspection.clockMillis(client);
    }

    @Override
    public CompletionStage<Void> introduce(Instance instance) {
        return holders.introduce(instance);
    }

    @Override
    public CompletionStage<LockState> describe(LockId id) {
        return holders.describe(id);
    }

    @Override
    public CompletionStage<LockListing> list(String namespace, int limit) {
        return holders.list(namespace, limit);
    }

    @Override
    public CompletionStage<ForcedRelease.Outcome> revoke(LockId id, long fencingToken) {
        return RedisRevocation.of(client, id, fencingToken, token -> release(id, token, Duration.ZERO));
    }

    @Override
    public void onRevocation(LongConsumer listener) {
        client.onRevocation(listener);
    }

    @Override
    public void close() {
        try {
            holders.close();
            client.close();
        } finally {
            closeFactory.run();
        }
    }

    /**
     * Whether the script may count the receivers of its message. It may not in a cluster, where each node knows only
     * its own subscribers.
     */
    private byte[] countsReceivers() {
        return RedisKeys.bytes(inCluster ? 0 : 1);
    }

    private AcquireAnswer acquireAnswer(long answer, WakeupSubscription.@Nullable Wakeup wakeup, Duration retryAfter) {
        if (answer > 0) {
            cancel(wakeup);
            return new Granted(answer);
        }
        GracePeriod period = gracePeriod;
        long unmarked = period == null ? answer : period.unmarked(answer);
        Duration remaining = answer == 0 ? FOREVER : Duration.ofMillis(-1 - unmarked);
        return new Busy(remaining, wakeup, wakeup != null, retryAfter);
    }

    private static void cancel(WakeupSubscription.@Nullable Wakeup wakeup) {
        if (wakeup != null) {
            wakeup.cancel(false);
        }
    }
}
