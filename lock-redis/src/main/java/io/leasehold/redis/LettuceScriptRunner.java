package io.leasehold.redis;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.concurrent.CompletableFuture;

/** Runs scripts over one connection of Lettuce's that all threads share. */
final class LettuceScriptRunner implements ScriptRunner {

    private final Connecting<RedisClusterAsyncCommands<byte[], byte[]>> connection;

    private final FormerMaster formerMaster = new FormerMaster();

    LettuceScriptRunner(Connecting<RedisClusterAsyncCommands<byte[], byte[]>> connection) {
        this.connection = connection;
    }

    @Override
    public <T> CompletableFuture<T> run(RedisScript script, byte[][] keys, byte[]... arguments) {
        LettuceScriptCall<T> call = new LettuceScriptCall<>(script, keys, arguments);
        RedisClusterAsyncCommands<byte[], byte[]> commands = connection.now();
        if (commands != null) {
            send(call, commands);
        } else {
            connection.whenOpen().whenComplete((opened, failure) -> {
                if (failure == null) {
                    send(call, opened);
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

    private void send(LettuceScriptCall<?> call, RedisClusterAsyncCommands<byte[], byte[]> commands) {
        call.whenComplete((answer, failure) -> {
            if (failure != null) {
                formerMaster.leaveIfReplica(commands, failure);
            }
        });
        call.send(commands);
    }
}
