package io.leasehold.redis.lettuce;

import io.leasehold.redis.client.RedisScript;
import io.leasehold.redis.client.ScriptExecutor;
import java.util.concurrent.CompletableFuture;

/** Runs scripts on a separate connection, and completes when replicas have confirmed their writes. */
final class ReplicatedScriptExecutor implements ScriptExecutor {

    private final LazyConnection<Connection> connection;

    ReplicatedScriptExecutor(LazyConnection<Connection> connection) {
        this.connection = connection;
    }

    @Override
    public <T> CompletableFuture<T> run(RedisScript script, byte[][] keys, byte[]... arguments) {
        ReplicatedCall<T> call = new ReplicatedCall<>(script, keys, arguments);
        connection.use(open -> open.run(call), call::completeExceptionally);
        return call;
    }

    /** A connection only for scripts that replicas must confirm, so that waiting for replicas delays no other call. */
    interface Connection {

        /** Sends the script. The call completes when the script is answered and confirmed, or has failed. */
        <T> void run(ReplicatedCall<T> call);
    }
}
