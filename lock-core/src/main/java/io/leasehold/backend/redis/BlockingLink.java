package io.leasehold.backend.redis;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** Any client of spring-data-redis, called on a small executor. Callers who wait have to poll. */
final class BlockingLink implements RedisLink {

    private final BlockingScriptRunner scripts;

    private final boolean cluster;

    BlockingLink(RedisConnectionFactory factory) {
        this.scripts = new BlockingScriptRunner(factory);
        this.cluster = factory instanceof JedisConnectionFactory jedis && jedis.isRedisClusterAware();
    }

    @Override
    public ScriptRunner scripts() {
        return scripts;
    }

    @Override
    public @Nullable Turns turns() {
        return null;
    }

    @Override
    public CompletableFuture<@Nullable Turns> openTurns() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public boolean isCluster() {
        return cluster;
    }

    @Override
    public void close() {
        scripts.close();
    }
}
