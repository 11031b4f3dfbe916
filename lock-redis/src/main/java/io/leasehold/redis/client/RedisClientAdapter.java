package io.leasehold.redis.client;

import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Connects the backend to Redis with one client library. */
public interface RedisClientAdapter extends AutoCloseable {

    /**
     * Opens the connections for scripts, grants and renewals. Completes when they can be sent, or fails like one of
     * them.
     */
    CompletableFuture<Void> connect();

    ScriptExecutor scripts();

    /**
     * Runs scripts that grant or revoke leases. A call completes when the required replicas have confirmed the change.
     */
    ScriptExecutor grants();

    /** Runs scripts that renew leases, as {@link #grants()} does. Grants and renewals do not delay each other. */
    ScriptExecutor renewals();

    /**
     * Runs scripts that release leases or read them, as {@link #grants()} does. The masters of a cluster need no
     * confirmation: a deposed one does not answer.
     */
    ScriptExecutor releases();

    /** The subscription that notifies waiting callers, {@code null} if it is not open. */
    default @Nullable WakeupSubscription subscription() {
        return null;
    }

    /**
     * Opens {@link #subscription()}. Completes with {@code null} if this client does not support it, or if it cannot be
     * opened now.
     */
    default CompletableFuture<@Nullable WakeupSubscription> openSubscription() {
        return CompletableFuture.completedFuture(null);
    }

    /**
     * Adds a listener for the hints of revocations that {@link #subscription()} receives. Has no effect if this client
     * does not support it.
     *
     * @param listener receives the last 64 bits of the lease's token
     */
    default void onRevocation(LongConsumer listener) {}

    /**
     * The factory of the connection on which the server is asked about its settings and its clock. It is that of the
     * locks, if the client has one: the application's may otherwise be opened for these questions alone.
     */
    RedisConnectionFactory connectionFactory();

    boolean isCluster();

    /**
     * The number of replicas that must confirm a lease.
     *
     * @param clusterHasReplicas whether the cluster has a replica; ignored outside of clusters
     * @return the number, zero if none
     */
    int minReplicas(boolean clusterHasReplicas);

    @Override
    void close();
}
