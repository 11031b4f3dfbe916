package io.leasehold.redis;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One script on its way: by digest first, and by source if Redis does not know it. */
final class LettuceScriptCall<T> extends CompletableFuture<T> {

    private final RedisScript script;

    private final byte[][] keys;

    private final byte[][] arguments;

    private volatile @Nullable RedisFuture<T> sent;

    LettuceScriptCall(RedisScript script, byte[][] keys, byte[][] arguments) {
        this.script = script;
        this.keys = keys;
        this.arguments = arguments;
    }

    void send(RedisClusterAsyncCommands<byte[], byte[]> commands) {
        follow(commands, commands.evalsha(script.digest(), type(), keys, arguments), true);
    }

    /** Sends the script to a node of a cluster that only takes over the keys; by source, since it may not know it yet. */
    void sendAsking(RedisClusterAsyncCommands<byte[], byte[]> commands) {
        commands.asking();
        follow(commands, commands.eval(script.source(), type(), keys, arguments), false);
    }

    /** Takes the command back if it has not been written yet; Lettuce does not write cancelled commands. */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        RedisFuture<T> command = sent;
        if (command != null) {
            command.cancel(mayInterruptIfRunning);
        }
        return cancelled;
    }

    private void follow(RedisClusterAsyncCommands<byte[], byte[]> commands, RedisFuture<T> command, boolean byDigest) {
        sent = command;
        if (isCancelled()) {
            command.cancel(true);
        }
        command.whenComplete((answer, failure) -> {
            if (failure == null) {
                complete(answer);
            } else if (byDigest && RedisFailures.isUnknownScript(failure)) {
                follow(commands, commands.eval(script.source(), type(), keys, arguments), false);
            } else {
                completeExceptionally(failure);
            }
        });
    }

    private ScriptOutputType type() {
        return script.answer() == RedisScript.Answer.INTEGER ? ScriptOutputType.INTEGER : ScriptOutputType.VALUE;
    }
}
