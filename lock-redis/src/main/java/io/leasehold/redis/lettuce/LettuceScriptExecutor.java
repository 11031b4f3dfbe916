package io.leasehold.redis.lettuce;

import io.leasehold.redis.client.CancellableCall;
import io.leasehold.redis.client.RedisErrors;
import io.leasehold.redis.client.RedisScript;
import io.leasehold.redis.client.ScriptExecutor;
import io.leasehold.spi.BackendFailure;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.concurrent.CompletableFuture;

/** Runs scripts over one Lettuce connection that all threads share. */
final class LettuceScriptExecutor implements ScriptExecutor {

    private final LazyConnection<RedisClusterAsyncCommands<byte[], byte[]>> connection;

    private final MasterLookup masters;

    private final RefusedHandshake refused;

    LettuceScriptExecutor(
            LazyConnection<RedisClusterAsyncCommands<byte[], byte[]>> connection,
            MasterLookup masters,
            RefusedHandshake refused) {
        this.connection = connection;
        this.masters = masters;
        this.refused = refused;
    }

    @Override
    public <T> CompletableFuture<T> run(RedisScript script, byte[][] keys, byte[]... arguments) {
        ScriptCall<T> call = new ScriptCall<>(script, keys, arguments);
        connection.use(commands -> send(call, commands), call::completeExceptionally);
        return call;
    }

    private void send(ScriptCall<?> call, RedisClusterAsyncCommands<byte[], byte[]> commands) {
        BackendFailure refusal = commands instanceof RedisAsyncCommands<byte[], byte[]> single
                        && !connectionOf(single).isOpen()
                ? refused.failure()
                : null;
        if (refusal != null) {
            call.completeExceptionally(refusal);
            return;
        }
        call.whenComplete((answer, failure) -> {
            // the nodes of a cluster redirect their clients
            if (failure != null
                    && commands instanceof RedisAsyncCommands<byte[], byte[]> single
                    && RedisErrors.isReplica(failure)) {
                masters.renew(connectionOf(single));
            }
        });
        call.send(commands);
    }

    @SuppressWarnings("deprecation")
    static StatefulRedisConnection<byte[], byte[]> connectionOf(RedisAsyncCommands<byte[], byte[]> commands) {
        return commands.getStatefulConnection();
    }

    /** One execution of a script, by digest first, and by source if Redis does not know the digest. */
    static final class ScriptCall<T> extends CancellableCall<T> {

        private final RedisScript script;

        private final byte[][] keys;

        private final byte[][] arguments;

        ScriptCall(RedisScript script, byte[][] keys, byte[][] arguments) {
            this.script = script;
            this.keys = keys;
            this.arguments = arguments;
        }

        /** Sends the script, unless the call was cancelled while its connection was opened. */
        void send(RedisClusterAsyncCommands<byte[], byte[]> commands) {
            if (isDone()) {
                return;
            }
            send(commands, true);
        }

        /**
         * Sends the script to a node of a cluster that is importing the keys. Sends the source, because the node may
         * not know the script yet.
         */
        void sendAsking(RedisClusterAsyncCommands<byte[], byte[]> commands) {
            commands.asking();
            send(commands, false);
        }

        private void send(RedisClusterAsyncCommands<byte[], byte[]> commands, boolean byDigest) {
            RedisFuture<T> command;
            try {
                command = byDigest
                        ? commands.evalsha(script.digest(), type(), keys, arguments)
                        : commands.eval(script.source(), type(), keys, arguments);
            } catch (Throwable notSent) {
                // an Error as well: on the thread that opened the connection, or got NOSCRIPT, it would be lost
                completeExceptionally(notSent);
                return;
            }
            // a cancellation withdraws it if it has not been written yet: Lettuce writes no cancelled commands
            follow(command);
            command.whenComplete((answer, failure) -> {
                if (failure == null) {
                    complete(answer);
                } else if (byDigest && RedisErrors.isUnknownScript(failure) && !isDone()) {
                    send(commands, false);
                } else {
                    completeExceptionally(failure);
                }
            });
        }

        private ScriptOutputType type() {
            return script.answer() == RedisScript.Answer.INTEGER ? ScriptOutputType.INTEGER : ScriptOutputType.VALUE;
        }
    }
}
