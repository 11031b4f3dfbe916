package io.leasehold.redis.client;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** How the backend is connected to Redis by one client library. */
public interface RedisClientAdapter extends AutoCloseable {

    /** Opens what scripts, grants and renewals are sent over; ends when they can be sent, or fails like one of them. */
    CompletableFuture<Void> connect();

    ScriptExecutor scripts();

    /** Runs scripts that grant leases; ends when as many replicas as required have what was granted. */
    ScriptExecutor grants();

    /** Runs scripts that renew leases, as {@link #grants()} does; neither holds up the other. */
    ScriptExecutor renewals();

    /** Where waiting callers are notified, if it is open already. */
    @Nullable
    WakeupSubscription subscription();

    /** Opens {@link #subscription()}; ends with {@code null} if this client has none, or if it cannot be opened now. */
    CompletableFuture<@Nullable WakeupSubscription> openSubscription();

    boolean isCluster();

    /**
     * How many replicas have to confirm a lease.
     *
     * @param clusterHasReplicas whether there is a replica, if this is a cluster
     * @return zero if none
     */
    int minReplicas(boolean clusterHasReplicas);

    @Override
    void close();
}
