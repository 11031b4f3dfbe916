package io.leasehold.redis;

import io.leasehold.redis.client.CancellableCall;
import io.leasehold.redis.client.RedisClientAdapter;
import io.leasehold.redis.client.RedisErrors;
import io.leasehold.support.SafeLogging;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time in which a master that was promoted or restarted grants no free lock, because it may lack leases. The script
 * acquire.lua implements it. It begins when enough replicas have connected to the master, or when a script recognises
 * the new master, whichever this process can prove: scripts may not ask how long a replica has been connected.
 */
final class GracePeriod {

    private static final Logger log = LoggerFactory.getLogger(GracePeriod.class);

    /** An answer of the script within the period is this much less. */
    private static final long MARK = 1_000_000_000_000_000L;

    private static final long ASK_EVERY_MILLIS = 1_000;

    private static final long LONGEST_MILLIS = 200;

    private final RedisClientAdapter client;

    private final @Nullable Duration period;

    private final int replicas;

    private @Nullable CompletableFuture<String> asked;

    private boolean warned;

    private GracePeriod(RedisClientAdapter client, @Nullable Duration period, int replicas) {
        this.client = client;
        this.period = period;
        this.replicas = replicas;
    }

    /**
     * Creates a grace period, or returns {@code null} if there is none, because no replica confirms leases.
     *
     * @param period its length, {@code null} for the ttl of the requested lock; zero for none
     */
    static @Nullable GracePeriod ifAny(RedisClientAdapter client, @Nullable Duration period) {
        int replicas = client.minReplicas(true);
        return replicas == 0 || period != null && period.isZero() ? null : new GracePeriod(client, period, replicas);
    }

    /** The number of replicas that must be connected before it begins. */
    int replicas() {
        return replicas;
    }

    Duration lengthFor(Duration ttl) {
        return period == null ? ttl : period;
    }

    /**
     * Acquires a lock. If the answer says that the period has not passed, asks the master how long its replicas have
     * been connected, at most once a second, and acquires again.
     *
     * @param acquire runs the script with the answer about the replicas, which is empty if there is none
     * @param inCluster removes the period. A cluster behind a client for a single Redis refuses the key of the record,
     *     before it executes anything
     */
    CompletableFuture<Long> acquire(Function<String, CompletableFuture<Long>> acquire, Runnable inCluster) {
        return CancellableCall.repeatable(
                acquire.apply(""),
                (answer, failure) -> {
                    if (failure != null && RedisErrors.isOfSeveralSlots(failure)) {
                        inCluster.run();
                        return CompletableFuture.completedFuture(() -> acquire.apply(""));
                    }
                    return failure != null || answer > -MARK
                            ? CompletableFuture.completedFuture(null)
                            : connectedReplicas()
                                    .thenApply(
                                            connected -> connected.isEmpty() ? null : () -> acquire.apply(connected));
                },
                answer -> {});
    }

    /** Returns an answer that denies a lock without the mark. Logs a warning, once in each period. */
    long unmarked(long answer) {
        if (answer > -MARK) {
            return answer;
        }
        long unmarked = answer + MARK;
        warn(-1 - unmarked);
        return unmarked;
    }

    private synchronized CompletableFuture<String> connectedReplicas() {
        CompletableFuture<String> answer = asked;
        if (answer == null) {
            answer = RedisInspection.connectedReplicas(client)
                    .exceptionally(failure -> "")
                    .completeOnTimeout("", LONGEST_MILLIS, TimeUnit.MILLISECONDS);
            asked = answer;
            after(ASK_EVERY_MILLIS, () -> asked = null);
        }
        return answer;
    }

    private synchronized void warn(long remainingMillis) {
        if (!warned) {
            warned = true;
            SafeLogging.log(() -> log.warn(
                    "Redis was promoted to a master, or restarted, and may lack locks. It grants no free lock for another"
                            + " {} ms ('lock.redis.grace-period')",
                    remainingMillis));
            after(remainingMillis, () -> warned = false);
        }
    }

    private void after(long millis, Runnable reset) {
        new CompletableFuture<Void>()
                .completeOnTimeout(null, millis, TimeUnit.MILLISECONDS)
                .thenRun(() -> {
                    synchronized (this) {
                        reset.run();
                    }
                });
    }
}
