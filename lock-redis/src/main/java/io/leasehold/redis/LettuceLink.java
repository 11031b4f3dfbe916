package io.leasehold.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateAdapter;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.async.RedisAdvancedClusterAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.netty.util.concurrent.Ticker;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Two connections of Lettuce's of our own: one for scripts, and one for messages as soon as somebody waits.
 */
final class LettuceLink implements RedisLink {

    private final LettuceConnectionFactory original;

    private final LettuceConnectionFactory factory;

    private static final long CLOSE_SECONDS = 2;

    private final ClientResources resources;

    private final Connecting<RedisClusterAsyncCommands<byte[], byte[]>> commands;

    private final Connecting<Turns> subscription;

    private final RedisLockOptions options;

    private final LettuceScriptRunner scripts;

    private final ScriptRunner grants;

    private final ScriptRunner renewals;

    private final @Nullable QuickLane quickLane;

    private final @Nullable Connecting<Lanes> lanes;

    private LettuceLink(
            LettuceConnectionFactory original,
            LettuceConnectionFactory factory,
            ClientResources resources,
            RedisLockOptions options) {
        this.original = original;
        this.factory = factory;
        this.resources = resources;
        this.commands = new Connecting<>(this::open);
        this.subscription = new Connecting<>(this::subscribe);
        this.scripts = new LettuceScriptRunner(commands);
        this.options = options;
        if (minReplicas(true) > 0) {
            Connecting<Lanes> lanes = new Connecting<>(() -> new Lanes(openLane(), openLane()));
            this.lanes = lanes;
            this.grants = new ReplicatedScriptRunner(lanes, Lanes::grants);
            this.renewals = new ReplicatedScriptRunner(lanes, Lanes::renewals);
            this.quickLane = null;
            lanes.whenOpen();
        } else {
            this.lanes = null;
            Ticker clock = resources.eventExecutorGroup().next().ticker();
            this.quickLane =
                    isCluster() ? null : new QuickLane(this::connection, options.fenceRetention(), clock::nanoTime);
            this.grants = scripts;
            this.renewals = scripts;
        }
        commands.whenOpen();
    }

    /** A link to where another factory connects to. */
    static LettuceLink like(LettuceConnectionFactory original, RedisLockOptions options) {
        ClientResources resources =
                LockClientSettings.resources(original.getClientConfiguration().getClientResources());
        return new LettuceLink(original, LockFactory.like(original, resources), resources, options);
    }

    @Override
    public CompletableFuture<Void> connect() {
        CompletableFuture<?> replicated = lanes == null ? CompletableFuture.completedFuture(null) : lanes.whenOpen();
        return CompletableFuture.allOf(commands.whenOpen(), replicated);
    }

    @Override
    public ScriptRunner scripts() {
        return scripts;
    }

    @Override
    public ScriptRunner grants() {
        return grants;
    }

    @Override
    public ScriptRunner renewals() {
        return renewals;
    }

    @Override
    public @Nullable QuickLane quickLane() {
        return quickLane;
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
    public int minReplicas(boolean clusterHasReplicas) {
        boolean byDefault = isCluster() ? clusterHasReplicas : factory.isRedisSentinelAware();
        return options.replicas(byDefault ? 1 : 0).least();
    }

    @Override
    public void close() {
        commands.close();
        grants.close();
        renewals.close();
        subscription.close();
        factory.destroy();
        resources.shutdown(0, CLOSE_SECONDS, TimeUnit.SECONDS);
    }

    @SuppressWarnings("unchecked")
    private RedisClusterAsyncCommands<byte[], byte[]> open() {
        start();
        SameServer.require(original, factory);
        RedisClusterAsyncCommands<byte[], byte[]> commands = (RedisClusterAsyncCommands<byte[], byte[]>)
                factory.getConnection().getNativeConnection();
        if (commands instanceof RedisAsyncCommands<byte[], byte[]> single) {
            listen(single);
        }
        if (commands instanceof RedisAdvancedClusterAsyncCommands<byte[], byte[]> cluster
                && factory.getRequiredNativeClient() instanceof RedisClusterClient client) {
            NodeConnections.openAll(client.getPartitions(), cluster::getConnection);
        }
        return commands;
    }

    private void listen(RedisAsyncCommands<byte[], byte[]> single) {
        connectionOf(single).addListener(new RedisConnectionStateAdapter() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
                QuickLane quick = quickLane;
                if (quick != null) {
                    quick.connectionBroke();
                }
            }
        });
    }

    private @Nullable StatefulRedisConnection<byte[], byte[]> connection() {
        return commands.now() instanceof RedisAsyncCommands<byte[], byte[]> single ? connectionOf(single) : null;
    }

    @SuppressWarnings("deprecation")
    private static StatefulRedisConnection<byte[], byte[]> connectionOf(RedisAsyncCommands<byte[], byte[]> commands) {
        return commands.getStatefulConnection();
    }

    private LettuceLane openLane() {
        start();
        AbstractRedisClient client = factory.getRequiredNativeClient();
        return client instanceof RedisClusterClient cluster
                ? ClusterLane.open(cluster, options)
                : new ReplicatedLane(((RedisClient) client).connect(ByteArrayCodec.INSTANCE), options.replicas(1));
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
