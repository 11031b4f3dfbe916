package io.leasehold.redis;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** Any client of spring-data-redis, called on a small executor. Callers who wait have to poll. */
final class BlockingLink implements RedisLink {

    private final BlockingScriptRunner scripts;

    private final BlockingScriptRunner replicated;

    private final boolean cluster;

    BlockingLink(RedisConnectionFactory factory, RedisLockOptions options) {
        this.cluster = factory instanceof JedisConnectionFactory jedis && jedis.isRedisClusterAware();
        this.scripts = new BlockingScriptRunner(factory, options.replicas(0).withLeast(0));
        this.replicated = new BlockingScriptRunner(factory, required(factory, options));
    }

    @Override
    public CompletableFuture<Void> connect() {
        return scripts.connect();
    }

    @Override
    public ScriptRunner scripts() {
        return scripts;
    }

    @Override
    public ScriptRunner grants() {
        return replicated;
    }

    @Override
    public ScriptRunner renewals() {
        return replicated;
    }

    @Override
    public @Nullable QuickLane quickLane() {
        return null;
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
    public int minReplicas(boolean clusterHasReplicas) {
        return replicated.required().least();
    }

    @Override
    public void close() {
        scripts.close();
        replicated.close();
    }

    private Replicas required(RedisConnectionFactory factory, RedisLockOptions options) {
        boolean sentinel = factory instanceof JedisConnectionFactory jedis && jedis.isRedisSentinelAware();
        Replicas required = options.replicas(sentinel ? 1 : 0);
        if (cluster && required.least() > 0) {
            throw new IllegalArgumentException("'min-replicas' must be 0 in a Redis Cluster with this client, which"
                    + " cannot ask the node that has the lock for its replicas: " + required.least()
                    + "; use Lettuce, or set 'lock.redis.min-replicas' to 0");
        }
        return required;
    }
}
