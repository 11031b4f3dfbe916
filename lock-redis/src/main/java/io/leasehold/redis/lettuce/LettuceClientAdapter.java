package io.leasehold.redis.lettuce;

import io.leasehold.redis.client.RedisClientAdapter;
import io.leasehold.redis.client.RequiredReplicas;
import io.leasehold.redis.client.ScriptExecutor;
import io.leasehold.redis.client.WakeupSubscription;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.async.RedisAdvancedClusterAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Opens separate Lettuce connections for locks: one for scripts, one for messages when a caller waits, and two more if
 * replicas have to confirm leases.
 */
public final class LettuceClientAdapter implements RedisClientAdapter {

    private static final long CLOSE_SECONDS = 2;

    private static final long REFUSAL_SECONDS = 5;

    private final LettuceConnectionFactory original;

    private final LettuceConnectionFactory factory;

    private final ClientResources resources;

    private final LazyConnection<RedisClusterAsyncCommands<byte[], byte[]>> commands;

    private final LazyConnection<WakeupSubscription> subscription;

    private final IntFunction<RequiredReplicas> replicas;

    private final LettuceScriptExecutor scripts;

    private final ScriptExecutor grants;

    private final ScriptExecutor renewals;

    private final @Nullable LazyConnection<ReplicatedScriptExecutor.Connections> replicated;

    private volatile boolean subscriptionRefused;

    private LettuceClientAdapter(
            LettuceConnectionFactory original,
            LettuceConnectionFactory factory,
            ClientResources resources,
            IntFunction<RequiredReplicas> replicas) {
        this.original = original;
        this.factory = factory;
        this.resources = resources;
        this.commands = new LazyConnection<>(this::open);
        this.subscription = new LazyConnection<>(this::subscribe);
        this.scripts = new LettuceScriptExecutor(commands);
        this.replicas = replicas;
        if (minReplicas(true) > 0) {
            LazyConnection<ReplicatedScriptExecutor.Connections> replicated = new LazyConnection<>(
                    () -> new ReplicatedScriptExecutor.Connections(openReplicated(), openReplicated()));
            this.replicated = replicated;
            this.grants = new ReplicatedScriptExecutor(replicated, ReplicatedScriptExecutor.Connections::grants);
            this.renewals = new ReplicatedScriptExecutor(replicated, ReplicatedScriptExecutor.Connections::renewals);
        } else {
            this.replicated = null;
            this.grants = scripts;
            this.renewals = scripts;
        }
    }

    /**
     * Creates an adapter with its own connections to the server of a factory. They are opened when they are needed.
     *
     * @param original the application's factory
     * @param replicas returns the replicas that must confirm a lease; its argument is the default number
     */
    public static LettuceClientAdapter like(LettuceConnectionFactory original, IntFunction<RequiredReplicas> replicas) {
        ClientResources resources = LockClientConfiguration.resources(
                original.getClientConfiguration().getClientResources());
        return new LettuceClientAdapter(original, LockConnectionFactory.like(original, resources), resources, replicas);
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
    public @Nullable WakeupSubscription subscription() {
        return subscription.ifAny();
    }

    @Override
    public CompletableFuture<@Nullable WakeupSubscription> openSubscription() {
        return subscriptionRefused
                ? CompletableFuture.completedFuture(null)
                : subscription.whenOpen().handle((opened, failure) -> {
                    if (failure != null) {
                        pauseSubscribing();
                    }
                    return opened;
                });
    }

    /** Waiters poll in the meantime. Each of their polls would otherwise open a connection. */
    private void pauseSubscribing() {
        subscriptionRefused = true;
        resources.eventExecutorGroup().schedule(() -> subscriptionRefused = false, REFUSAL_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public boolean isCluster() {
        return factory.isClusterAware();
    }

    @Override
    public int minReplicas(boolean clusterHasReplicas) {
        boolean byDefault = isCluster() ? clusterHasReplicas : factory.isRedisSentinelAware();
        return replicas.apply(byDefault ? 1 : 0).least();
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
        if (commands instanceof RedisAdvancedClusterAsyncCommands<byte[], byte[]> cluster
                && factory.getRequiredNativeClient() instanceof RedisClusterClient client) {
            ClusterReplicatedConnection.connectToAllMasters(client.getPartitions(), cluster::getConnection);
        }
        return commands;
    }

    /**
     * Returns the connection that all scripts share, or {@code null} while it is not open and in a cluster. Starts
     * opening it if necessary.
     */
    public @Nullable StatefulRedisConnection<byte[], byte[]> connection() {
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
                ? ClusterReplicatedConnection.open(cluster, replicas)
                : new ReplicatedConnection(((RedisClient) client).connect(ByteArrayCodec.INSTANCE), replicas.apply(1));
    }

    private WakeupSubscription subscribe() {
        start();
        WakeupSubscription wakeups = new WakeupSubscription("lock-turns:" + UUID.randomUUID());
        // returned only after Redis has confirmed the subscription, because a script that counts receivers must find
        // this process
        Subscription.open(factory.getRequiredNativeClient(), wakeups);
        return wakeups;
    }

    private synchronized void start() {
        if (!factory.isRunning()) {
            factory.start();
        }
    }

    /** The connection on which all waiting callers of this process are notified. It is closed with its client. */
    private static final class Subscription extends RedisPubSubAdapter<byte[], byte[]> {

        private static final int PING_SECONDS = 5;

        private final WakeupSubscription wakeups;

        private Subscription(WakeupSubscription wakeups) {
            this.wakeups = wakeups;
        }

        static void open(AbstractRedisClient client, WakeupSubscription wakeups) {
            StatefulRedisPubSubConnection<byte[], byte[]> connection = client instanceof RedisClusterClient cluster
                    ? cluster.connectPubSub(ByteArrayCodec.INSTANCE)
                    : ((RedisClient) client).connectPubSub(ByteArrayCodec.INSTANCE);
            connection.addListener(new Subscription(wakeups));
            try {
                connection.sync().subscribe(wakeups.channel());
            } catch (RuntimeException ex) {
                connection.close();
                throw ex;
            }
            askWhetherItLives(connection);
        }

        /**
         * Sends a ping periodically. No other command is sent on this connection, so a dead connection would otherwise
         * not be detected.
         */
        private static void askWhetherItLives(StatefulRedisPubSubConnection<byte[], byte[]> connection) {
            connection
                    .getResources()
                    .eventExecutorGroup()
                    .schedule(() -> askIfOpen(connection), PING_SECONDS, TimeUnit.SECONDS);
        }

        private static void askIfOpen(StatefulRedisPubSubConnection<byte[], byte[]> connection) {
            if (connection instanceof RedisChannelHandler<?, ?> handler && handler.isClosed()) {
                return;
            }
            if (connection.isOpen()) {
                connection.async().ping();
            }
            askWhetherItLives(connection);
        }

        @Override
        public void message(byte[] channel, byte[] message) {
            wakeups.wakeUp(message);
        }
    }
}
