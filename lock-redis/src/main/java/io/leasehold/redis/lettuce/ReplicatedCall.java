package io.leasehold.redis.lettuce;

import io.leasehold.redis.client.RedisScript;
import io.leasehold.redis.client.RedisScript.Confirmation;
import io.leasehold.redis.lettuce.LettuceScriptExecutor.ScriptCall;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A script whose answer counts when enough replicas have confirmed it. It may be sent to several nodes in
 * sequence, if every previous node has refused it.
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
        // published before the check: a concurrent cancellation either finds the call or is found here
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

    /** Completes this call with the script's answer, after its confirmation if it needs one. */
    void answered(T answer, Function<Confirmation, CompletableFuture<Void>> confirmation) {
        Confirmation needed = script.confirmation(answer);
        if (needed == Confirmation.NONE) {
            complete(answer);
            return;
        }
        confirmation.apply(needed).whenComplete((confirmed, failure) -> {
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
