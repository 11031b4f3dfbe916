package io.leasehold.redis;

import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Leaves a server that says that it is a replica. Nobody else may end the connection to a master that was made a replica
 * by hand or came back as one, and the client would stay on it for ever. It connects again by itself, and first asks
 * Sentinel, or the name service, where the master is.
 */
final class FormerMaster {

    private final AtomicBoolean leaving = new AtomicBoolean();

    /**
     * Looks at what a command failed with.
     *
     * @param commands the connection that it was sent on; nodes of a cluster send their clients on themselves
     */
    void leaveIfReplica(RedisClusterAsyncCommands<byte[], byte[]> commands, Throwable failure) {
        if (commands instanceof RedisAsyncCommands<byte[], byte[]> single
                && RedisFailures.isReplica(failure)
                && leaving.compareAndSet(false, true)) {
            single.quit().whenComplete((answer, refused) -> leaving.set(false));
        }
    }
}
