package io.leasehold.redis.client;

import java.util.concurrent.CompletableFuture;

/** Runs scripts in Redis over some client, by digest, and by source where Redis does not know the digest. */
public interface ScriptExecutor extends AutoCloseable {

    /**
     * Runs a script without blocking.
     *
     * @param <T> what the script answers with, see {@link RedisScript.Answer}
     * @return ends with the answer, or with whatever the client throws; cancelling it takes back what is not sent yet
     */
    <T> CompletableFuture<T> run(RedisScript script, byte[][] keys, byte[]... arguments);

    @Override
    void close();
}
