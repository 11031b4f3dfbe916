package io.leasehold.redis.lettuce;

import io.leasehold.redis.client.RedisClientAdapter;
import io.leasehold.redis.client.RequiredReplicas;
import io.leasehold.redis.client.ScriptExecutor;
import io.leasehold.redis.client.WakeupSubscription;
import io.leasehold.support.RevocationListeners;
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
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Opens separate Lettuce connections for locks: one for scripts, one for messages when a caller waits, and two more if
 * replicas have to confirm leases.
 */
public final class LettuceClientAdapter implements RedisClientAdapter {

    private static final long CLOSE_SECONDS = 2;

    private static final long LONGEST_OPENING_SECONDS = 3;

    private static final long REFUSAL_SECONDS = 5;

    private final LettuceConnectionFactory original;

    private final LettuceConnectionFactory factory;

    private final ClientResources resources;

    private final LazyConnection<RedisClusterAsyncCommands<byte[], byte[]>> commands;

    private final LazyConnection<WakeupSubscription> subscription;

    /** A connection each, so that grants that wait for replicas do not delay renewals. Empty if no replica confirms. */
    private final List<LazyConnection<ReplicatedScriptExecutor.Connection>> replicated;

    private final MasterLookup masters = new MasterLookup();

    private final RefusedHandshake refused;

    private final IntFunction<RequiredReplicas> replicas;

    private final ScriptExecutor scripts;

    private final ScriptExecutor grants;

    private final ScriptExecutor renewals;

    private final RevocationListeners revocations = new RevocationListeners();

    private volatile boolean subscriptionRefused;

    private volatile boolean sameServer;

    private LettuceClientAdapter(
            LettuceConnectionFactory original,
            LettuceConnectionFactory factory,
            ClientResources resources,
            RefusedHandshake refused,
            IntFunction<RequiredReplicas> replicas) {
        this.original = original;
        this.factory = factory;
        this.resources = resources;
        this.refused = refused;
        this.commands = new LazyConnection<>(this::open);
        this.subscription = new LazyConnection<>(this::subscribe);
        this.scripts = new LettuceScriptExecutor(commands, masters, refused);
        this.replicas = replicas;
        if (minReplicas(true) > 0) {
            this.replicated =
                    List.of(new LazyConnection<>(this::openReplicated), new LazyConnection<>(this::openReplicated));
            this.grants = new ReplicatedScriptExecutor(replicated.get(0));
            this.renewals = new ReplicatedScriptExecutor(replicated.get(1));
        } else {
            this.replicated = List.of();
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
        RefusedHandshake refused = new RefusedHandshake();
        ClientResources resources = LockClientConfiguration.resources(
                original.getClientConfiguration().getClientResources(), refused);
        return new LettuceClientAdapter(
                original, LockConnectionFactory.like(original, resources), resources, refused, replicas);
    }

    @Override
    public CompletableFuture<Void> connect() {
        List<CompletableFuture<?>> opening = new ArrayList<>(List.of(commands.whenOpen()));
        replicated.forEach(each -> opening.add(each.whenOpen()));
        return CompletableFuture.allOf(opening.toArray(CompletableFuture[]::new));
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
    public ScriptExecutor releases() {
        return isCluster() ? scripts : grants;
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
        // not on the threads of the client, which may be closed already
        new CompletableFuture<Void>()
                .completeOnTimeout(null, REFUSAL_SECONDS, TimeUnit.SECONDS)
                .thenRun(() -> subscriptionRefused = false);
    }

    @Override
    public void onRevocation(LongConsumer listener) {
        revocations.add(listener);
    }

    @Override
    public RedisConnectionFactory connectionFactory() {
        start();
        verifySameServer();
        return factory;
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

    /**
     * Waits for connections that are being opened, at most three seconds. An attempt that takes longer fails, because
     * it needs the factory and the threads that are closed here.
     */
    @Override
    public void close() {
        List<CompletableFuture<?>> opening = new ArrayList<>(List.of(commands.close(), subscription.close()));
        replicated.forEach(each -> opening.add(each.close()));
        // cleared, because Lettuce waits too
        boolean interrupted = Thread.interrupted();
        try {
            CompletableFuture.allOf(opening.toArray(CompletableFuture[]::new))
                    .get(LONGEST_OPENING_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException ex) {
            // nothing was opened, or will be
        } catch (InterruptedException ex) {
            interrupted = true;
        } finally {
            try {
                factory.destroy();
            } finally {
                resources.shutdown(0, CLOSE_SECONDS, TimeUnit.SECONDS);
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    @SuppressWarnings("unchecked")
    private RedisClusterAsyncCommands<byte[], byte[]> open() {
        start();
        verifySameServer();
        RedisClusterAsyncCommands<byte[], byte[]> commands = (RedisClusterAsyncCommands<byte[], byte[]>)
                factory.getConnection().getNativeConnection();
        if (commands instanceof RedisAdvancedClusterAsyncCommands<byte[], byte[]> cluster
                && factory.getRequiredNativeClient() instanceof RedisClusterClient client) {
            ClusterReplicatedConnection.connectToAllMasters(client.getPartitions(), cluster::getConnection);
        }
        if (commands instanceof RedisAsyncCommands<byte[], byte[]> single) {
            masters.add(LettuceScriptExecutor.connectionOf(single), single::quit);
        }
        return commands;
    }

    /**
     * Returns the connection that all scripts share, or {@code null} while it is not open, while the server refuses it,
     * and in a cluster. Starts opening it if necessary.
     */
    public @Nullable StatefulRedisConnection<byte[], byte[]> connection() {
        if (commands.now() instanceof RedisAsyncCommands<byte[], byte[]> single) {
            StatefulRedisConnection<byte[], byte[]> connection = LettuceScriptExecutor.connectionOf(single);
            return connection.isOpen() || refused.failure() == null ? connection : null;
        }
        return null;
    }

    private ReplicatedScriptExecutor.Connection openReplicated() {
        start();
        AbstractRedisClient client = factory.getRequiredNativeClient();
        if (client instanceof RedisClusterClient cluster) {
            return ClusterReplicatedConnection.open(cluster, replicas);
        }
        StatefulRedisConnection<byte[], byte[]> connection = ((RedisClient) client).connect(ByteArrayCodec.INSTANCE);
        masters.add(connection, connection.async()::quit);
        return new ReplicatedConnection(connection, replicas.apply(1), masters, refused);
    }

    private WakeupSubscription subscribe() {
        start();
        WakeupSubscription wakeups = new WakeupSubscription("lock-turns:" + UUID.randomUUID(), revocations);
        // returned only after Redis has confirmed the subscription, because a script that counts receivers must find
        // this process
        StatefulRedisPubSubConnection<byte[], byte[]> connection =
                Subscription.open(factory.getRequiredNativeClient(), wakeups);
        if (!isCluster()) {
            masters.add(connection, connection.async()::quit);
        }
        return wakeups;
    }

    private void verifySameServer() {
        if (!sameServer) {
            LockConnectionFactory.verifySameServer(original, factory);
            sameServer = true;
        }
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

        static StatefulRedisPubSubConnection<byte[], byte[]> open(
                AbstractRedisClient client, WakeupSubscription wakeups) {
            StatefulRedisPubSubConnection<byte[], byte[]> connection = client instanceof RedisClusterClient cluster
                    ? cluster.connectPubSub(ByteArrayCodec.INSTANCE)
                    : ((RedisClient) client).connectPubSub(ByteArrayCodec.INSTANCE);
            connection.addListener(new Subscription(wakeups));
            try {
                connection.sync().subscribe(wakeups.channel(), WakeupSubscription.revocations());
            } catch (RuntimeException ex) {
                connection.close();
                throw ex;
            }
            askWhetherItLives(connection);
            return connection;
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
            wakeups.received(channel, message);
        }
    }
}
