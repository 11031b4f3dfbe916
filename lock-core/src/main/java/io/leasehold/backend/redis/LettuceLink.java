package io.leasehold.backend.redis;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.resource.ClientResources;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Two connections of Lettuce's of our own: one for scripts, and one for messages as soon as somebody waits. */
final class LettuceLink implements RedisLink {

    private final LettuceConnectionFactory original;

    private final LettuceConnectionFactory factory;

    private final ClientResources resources;

    private final Connecting<RedisClusterAsyncCommands<byte[], byte[]>> commands;

    private final Connecting<Turns> subscription;

    private final LettuceScriptRunner scripts;

    private LettuceLink(
            LettuceConnectionFactory original, LettuceConnectionFactory factory, ClientResources resources) {
        this.original = original;
        this.factory = factory;
        this.resources = resources;
        this.commands = new Connecting<>(this::connect);
        this.subscription = new Connecting<>(this::subscribe);
        this.scripts = new LettuceScriptRunner(commands);
        commands.whenOpen();
    }

    /** A link to where another factory connects to. */
    static LettuceLink like(LettuceConnectionFactory original) {
        ClientResources resources =
                LockClientSettings.resources(original.getClientConfiguration().getClientResources());
        LettuceClientConfiguration client = new LockClientConfiguration(original, resources);
        RedisClusterConfiguration cluster = original.getClusterConfiguration();
        RedisSentinelConfiguration sentinel = original.getSentinelConfiguration();
        LettuceConnectionFactory own;
        if (cluster != null) {
            own = new LettuceConnectionFactory(cluster, client);
        } else if (sentinel != null) {
            own = new LettuceConnectionFactory(sentinel, client);
        } else if (original.getSocketConfiguration() != null) {
            own = new LettuceConnectionFactory(original.getSocketConfiguration(), client);
        } else {
            own = new LettuceConnectionFactory(original.getStandaloneConfiguration(), client);
        }
        own.setEagerInitialization(false);
        own.afterPropertiesSet();
        return new LettuceLink(original, own, resources);
    }

    @Override
    public ScriptRunner scripts() {
        return scripts;
    }

    @Override
    public @Nullable Turns turns() {
        return subscription.ifAny();
    }

    @Override
    public CompletableFuture<@Nullable Turns> openTurns() {
        return subscription.whenOpen().handle((turns, failure) -> turns);
    }

    @Override
    public boolean isCluster() {
        return factory.isClusterAware();
    }

    @Override
    public void close() {
        commands.close();
        subscription.close();
        factory.destroy();
        resources.shutdown();
    }

    @SuppressWarnings("unchecked")
    private RedisClusterAsyncCommands<byte[], byte[]> connect() {
        start();
        SameServer.require(original, factory);
        return (RedisClusterAsyncCommands<byte[], byte[]>)
                factory.getConnection().getNativeConnection();
    }

    private Turns subscribe() {
        start();
        Turns turns = new Turns("lock-turns:" + UUID.randomUUID());
        LettuceSubscription.open(factory.getRequiredNativeClient(), turns);
        return turns;
    }

    private synchronized void start() {
        if (!factory.isRunning()) {
            factory.start();
        }
    }
}
