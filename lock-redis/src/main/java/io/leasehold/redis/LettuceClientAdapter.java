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
final class LettuceClientAdapter implements RedisClientAdapter {

    private final LettuceConnectionFactory original;

    private final LettuceConnectionFactory factory;

    private static final long CLOSE_SECONDS = 2;

    private final ClientResources resources;

    private final LazyConnection<RedisClusterAsyncCommands<byte[], byte[]>> commands;

    private final LazyConnection<WakeupSubscription> subscription;

    private final RedisLockOptions options;

    private final LettuceScriptExecutor scripts;

    private final ScriptExecutor grants;

    private final ScriptExecutor renewals;

    private final @Nullable QuickLane quickLane;

    private final @Nullable LazyConnection<ReplicatedScriptExecutor.Connections> replicated;

    private LettuceClientAdapter(
            LettuceConnectionFactory original,
            LettuceConnectionFactory factory,
            ClientResources resources,
            RedisLockOptions options) {
        this.original = original;
        this.factory = factory;
        this.resources = resources;
        this.commands = new LazyConnection<>(this::open);
        this.subscription = new LazyConnection<>(this::subscribe);
        this.scripts = new LettuceScriptExecutor(commands);
        this.options = options;
        if (minReplicas(true) > 0) {
            LazyConnection<ReplicatedScriptExecutor.Connections> replicated = new LazyConnection<>(
                    () -> new ReplicatedScriptExecutor.Connections(openReplicated(), openReplicated()));
            this.replicated = replicated;
            this.grants = new ReplicatedScriptExecutor(replicated, ReplicatedScriptExecutor.Connections::grants);
            this.renewals = new ReplicatedScriptExecutor(replicated, ReplicatedScriptExecutor.Connections::renewals);
            this.quickLane = null;
            replicated.whenOpen();
        } else {
            this.replicated = null;
            Ticker clock = resources.eventExecutorGroup().next().ticker();
            this.quickLane =
                    isCluster() ? null : new QuickLane(this::connection, options.fenceRetention(), clock::nanoTime);
            this.grants = scripts;
            this.renewals = scripts;
        }
        commands.whenOpen();
    }

    /** A link to where another factory connects to. */
    static LettuceClientAdapter like(LettuceConnectionFactory original, RedisLockOptions options) {
        ClientResources resources = LockClientConfiguration.resources(
                original.getClientConfiguration().getClientResources());
        return new LettuceClientAdapter(original, LockConnectionFactory.like(original, resources), resources, options);
    }

    @Override
    public CompletableFuture<Void> connect() {
        CompletableFuture<?> confirmed =
                replicated == null ? CompletableFuture.completedFuture(null) : replicated.whenOpen();
        return CompletableFuture.allOf(commands.whenOpen(), confirmed);
    }

    @Override
    public ScriptExecutor scripts() {
        return scripts;
    }

    @Override
    public ScriptExecutor grants() {
        return grants;
    }

    @Override
    public ScriptExecutor renewals() {
        return renewals;
    }

    @Override
    public @Nullable QuickLane quickLane() {
        return quickLane;
    }

    @Override
    public @Nullable WakeupSubscription turns() {
        return subscription.ifAny();
    }

    @Override
    public CompletableFuture<@Nullable WakeupSubscription> openTurns() {
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
        LockConnectionFactory.verifySameServer(original, factory);
        RedisClusterAsyncCommands<byte[], byte[]> commands = (RedisClusterAsyncCommands<byte[], byte[]>)
                factory.getConnection().getNativeConnection();
        if (commands instanceof RedisAsyncCommands<byte[], byte[]> single) {
            listen(single);
        }
        if (commands instanceof RedisAdvancedClusterAsyncCommands<byte[], byte[]> cluster
                && factory.getRequiredNativeClient() instanceof RedisClusterClient client) {
            ClusterReplicatedConnection.connectToAllMasters(client.getPartitions(), cluster::getConnection);
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

    private ReplicatedScriptExecutor.Connection openReplicated() {
        start();
        AbstractRedisClient client = factory.getRequiredNativeClient();
        return client instanceof RedisClusterClient cluster
                ? ClusterReplicatedConnection.open(cluster, options)
                : new ReplicatedConnection(
                        ((RedisClient) client).connect(ByteArrayCodec.INSTANCE), options.replicas(1));
    }

    private WakeupSubscription subscribe() {
        start();
        WakeupSubscription turns = new WakeupSubscription("lock-turns:" + UUID.randomUUID());
        LettuceSubscription.open(factory.getRequiredNativeClient(), turns);
        return turns;
    }

    private synchronized void start() {
        if (!factory.isRunning()) {
            factory.start();
        }
    }
}
