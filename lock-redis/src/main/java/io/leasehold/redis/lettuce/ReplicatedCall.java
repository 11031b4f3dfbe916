package io.leasehold.redis.lettuce;

import io.leasehold.redis.client.RedisScript;
import io.leasehold.redis.lettuce.LettuceScriptExecutor.ScriptCall;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A script whose answer counts once enough replicas have what it wrote. It may be sent several times, to one node after
 * another, as long as those before have refused it.
 */
final class ReplicatedCall<T> extends CompletableFuture<T> {

    private final RedisScript script;

    private final byte[][] keys;

    private final byte[][] arguments;

    private volatile @Nullable ScriptCall<T> sent;

    ReplicatedCall(RedisScript script, byte[][] keys, byte[][] arguments) {
        this.script = script;
        this.keys = keys;
        this.arguments = arguments;
    }

    byte[] key() {
        return keys[0];
    }

    ScriptCall<T> send(RedisClusterAsyncCommands<byte[], byte[]> commands, boolean asking) {
        ScriptCall<T> call = new ScriptCall<>(script, keys, arguments);
        // Published before the check: a cancellation at the same time either finds the call or is found here.
        sent = call;
        if (isCancelled()) {
            call.cancel(true);
        } else if (asking) {
            call.sendAsking(commands);
        } else {
            call.send(commands);
        }
        return call;
    }

    /** Ends with the script's answer; if it has written something, after the confirmation. */
    void answered(T answer, Supplier<CompletableFuture<Void>> confirmation) {
        if (!script.wrote(answer)) {
            complete(answer);
            return;
        }
        confirmation.get().whenComplete((confirmed, failure) -> {
            if (failure == null) {
                complete(answer);
            } else {
                completeExceptionally(failure);
            }
        });
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        ScriptCall<T> call = sent;
        if (call != null) {
            call.cancel(mayInterruptIfRunning);
        }
        return cancelled;
    }
}
