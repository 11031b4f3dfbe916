package io.leasehold.redis.client;

import java.util.concurrent.CompletableFuture;

/** Runs scripts in Redis by digest, or by source if Redis does not know the digest. */
public interface ScriptExecutor {

    /**
     * Runs a script without blocking.
     *
     * @param <T> the type of the script's answer, see {@link RedisScript.Answer}
     * @return completes with the answer, or with the exception of the client; cancelling it withdraws a command that
     *     has not been sent yet
     */
    <T> CompletableFuture<T> run(RedisScript script, byte[][] keys, byte[]... arguments);
}
