package io.leasehold.redis.lettuce;

import io.leasehold.redis.client.CancellableCall;
import io.leasehold.redis.client.RedisScript;
import io.leasehold.redis.client.RedisScript.Confirmation;
import io.leasehold.redis.lettuce.LettuceScriptExecutor.ScriptCall;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * A script whose answer counts when enough replicas have confirmed it. It may be sent to several nodes in
 * sequence, if every previous node has refused it.
 */
final class ReplicatedCall<T> extends CancellableCall<T> {

    private final RedisScript script;

    private final byte[][] keys;

    private final byte[][] arguments;

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
        follow(call);
        // a call that was cancelled is not sent
        if (call.isDone()) {
            return call;
        }
        if (asking) {
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
}
