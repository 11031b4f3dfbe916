package io.leasehold.backend.redis;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.concurrent.CompletableFuture;

/** Runs scripts over one connection of Lettuce's that all threads share. */
final class LettuceScriptRunner implements ScriptRunner {

    private final Connecting<RedisClusterAsyncCommands<byte[], byte[]>> connection;

    LettuceScriptRunner(Connecting<RedisClusterAsyncCommands<byte[], byte[]>> connection) {
        this.connection = connection;
    }

    @Override
    public <T> CompletableFuture<T> run(RedisScript script, byte[][] keys, byte[]... arguments) {
        LettuceScriptCall<T> call = new LettuceScriptCall<>(script, keys, arguments);
        RedisClusterAsyncCommands<byte[], byte[]> commands = connection.now();
        if (commands != null) {
            call.send(commands);
        } else {
            connection.whenOpen().whenComplete((opened, failure) -> {
                if (failure == null) {
                    call.send(opened);
                } else {
                    call.completeExceptionally(failure);
                }
            });
        }
        return call;
    }

    @Override
    public void close() {
        connection.close();
    }
}
