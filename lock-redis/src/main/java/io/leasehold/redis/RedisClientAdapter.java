package io.leasehold.redis;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** How the backend is connected to Redis by one kind of client. */
interface RedisClientAdapter extends AutoCloseable {

    /** Opens what scripts, grants and renewals are sent over; ends when they can be sent, or fails like one of them. */
    CompletableFuture<Void> connect();

    ScriptExecutor scripts();

    /** Runs scripts that grant leases; ends when as many replicas as required have what was granted. */
    ScriptExecutor grants();

    /** Runs scripts that prolong leases, as {@link #grants()} does; neither holds up the other. */
    ScriptExecutor renewals();

    /** The way for locks that are free, if this client has one and no replica has to confirm what is granted. */
    @Nullable
    QuickLane quickLane();

    /** Where waiting callers hear of their turns, if it is open already. */
    @Nullable
    WakeupSubscription turns();

    /** Opens {@link #turns()}; ends with {@code null} if this client has no such thing, or if it cannot be opened now. */
    CompletableFuture<@Nullable WakeupSubscription> openTurns();

    boolean isCluster();

    /**
     * How many replicas have to confirm a lease.
     *
     * @param clusterHasReplicas whether there is a replica, if this is a cluster
     */
    int minReplicas(boolean clusterHasReplicas);

    @Override
    void close();
}
