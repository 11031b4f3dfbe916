package io.leasehold.redis;

import io.leasehold.redis.client.RedisClientAdapter;
import io.leasehold.redis.client.RedisKeys;
import io.leasehold.redis.client.WakeupSubscription;
import io.leasehold.redis.lettuce.LettuceClientAdapter;
import io.leasehold.spi.AcquireCommand;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The terms on which a release grants the lock to the first waiter, in the same step. The waiter receives its fencing
 * token by message. Otherwise, it is only notified, and acquires the lock itself.
 *
 * <p>The lease is provisional: the waiter renews it as soon as it has the message. A waiter asks again after a third of
 * the provisional ttl at the latest, so at least two thirds are left for the message and the renewal. Only a waiter that
 * has asked within half of it is granted the lock. A waiter that has stopped since then costs others this time.
 */
final class GrantOnRelease {

    private static final byte[] NO = new byte[0];

    private static final Duration PROVISIONAL_TTL = Duration.ofSeconds(1);

    private static final Duration RETRY_WITHOUT_GRANTS = Duration.ofMillis(500);

    private final boolean enabled;

    private final BooleanSupplier inCluster;

    private final byte[] fenceRetention;

    private GrantOnRelease(boolean enabled, BooleanSupplier inCluster, byte[] fenceRetention) {
        this.enabled = enabled;
        this.inCluster = inCluster;
        this.fenceRetention = fenceRetention;
    }

    /**
     * The terms for a client. A release does not wait for replicas. In a cluster, no node can count the receivers of a
     * message. Other clients than Lettuce receive none.
     *
     * @param inCluster whether a cluster was found, also later
     */
    static GrantOnRelease of(RedisClientAdapter client, RedisLockOptions options, BooleanSupplier inCluster) {
        boolean enabled = options.grantOnRelease()
                && client instanceof LettuceClientAdapter
                && !inCluster.getAsBoolean()
                && client.minReplicas(true) == 0;
        byte[] fenceRetention = RedisKeys.bytes(options.fenceRetention().toMillis());
        return new GrantOnRelease(enabled, inCluster, fenceRetention);
    }

    /** The ttl of a granted lease until the waiter has renewed it. */
    Duration provisionalTtl(AcquireCommand command) {
        return command.ttl().compareTo(PROVISIONAL_TTL) < 0 ? command.ttl() : PROVISIONAL_TTL;
    }

    /** How long a waiter waits for a message before it asks again. */
    Duration retryAfter(AcquireCommand command) {
        return isActive() ? provisionalTtl(command).dividedBy(3) : RETRY_WITHOUT_GRANTS;
    }

    /** What the waiter expects of a grant, an argument of {@code acquire.lua}. It is empty if it expects none. */
    byte[] expectation(AcquireCommand command, WakeupSubscription.@Nullable Wakeup wakeup) {
        return wakeup == null || !isActive()
                ? NO
                : RedisKeys.bytes(
                        command.fencingTokens() + " " + provisionalTtl(command).toMillis() + " " + wakeup.question());
    }

    /** How long ago the waiter may have asked, an argument of {@code acquire.lua}. */
    byte[] askedWithin(AcquireCommand command) {
        return RedisKeys.millis(provisionalTtl(command).dividedBy(2));
    }

    /** How long the fencing counter of a granted lease is kept, an argument of {@code release.lua}. Empty: no grants. */
    byte[] fenceRetention() {
        return isActive() ? fenceRetention : NO;
    }

    private boolean isActive() {
        return enabled && !inCluster.getAsBoolean();
    }
}
