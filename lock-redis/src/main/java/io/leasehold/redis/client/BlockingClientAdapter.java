package io.leasehold.redis.client;

import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.support.DaemonThreads;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * Adapts any client of spring-data-redis, and calls it on a small executor. Waiting callers poll. Jedis has connections
 * of its own for locks, see {@link JedisConnections}.
 */
public final class BlockingClientAdapter implements RedisClientAdapter {

    private final BlockingScriptExecutor scripts;

    private final BlockingScriptExecutor replicated;

    /** Has threads of its own: renewals must not wait behind grants whose replicas confirm slowly. */
    private final BlockingScriptExecutor renewals;

    private final Connections factory;

    private final boolean cluster;

    /**
     * Creates an adapter.
     *
     * @param replicas returns the replicas that must confirm a lease; its argument is the default number
     */
    public BlockingClientAdapter(RedisConnectionFactory application, IntFunction<RequiredReplicas> replicas) {
        this.factory = application instanceof JedisConnectionFactory jedis
                ? new JedisConnections(jedis)
                : new Connections.OfApplication(application);
        this.cluster = application instanceof JedisConnectionFactory jedis && jedis.isRedisClusterAware();
        this.scripts = new BlockingScriptExecutor(factory, replicas.apply(0).withLeast(0), cluster);
        this.replicated = new BlockingScriptExecutor(factory, required(application, replicas), cluster);
        this.renewals = new BlockingScriptExecutor(factory, replicated.required(), cluster);
    }

    @Override
    public CompletableFuture<Void> connect() {
        return scripts.connect();
    }

    @Override
    public ScriptExecutor scripts() {
        return scripts;
    }

    @Override
    public ScriptExecutor grants() {
        return replicated;
    }

    @Override
    public ScriptExecutor renewals() {
        return renewals;
    }

    @Override
    public ScriptExecutor releases() {
        return replicated.required().least() > 0 ? replicated : scripts;
    }

    @Override
    public RedisConnectionFactory connectionFactory() {
        return factory.factory();
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
        CompletableFuture.allOf(scripts.close(), replicated.close(), renewals.close())
                .thenRun(factory::close);
    }

    private RequiredReplicas required(RedisConnectionFactory factory, IntFunction<RequiredReplicas> replicas) {
        boolean sentinel = factory instanceof JedisConnectionFactory jedis && jedis.isRedisSentinelAware();
        RequiredReplicas required = replicas.apply(sentinel ? 1 : 0);
        String obstacle = required.least() > 0 ? this.factory.obstacleToConfirmation() : null;
        if (obstacle != null) {
            String byDefault = sentinel ? ", and is 1 by default with Sentinel" : "";
            throw new IllegalArgumentException("'min-replicas' must be 0" + byDefault + ": " + required.least()
                    + ", but " + obstacle + ", or set 'lock.redis.min-replicas' to 0");
        }
        return required;
    }

    /** Connects to Redis. */
    interface Connections extends AutoCloseable {

        RedisConnectionFactory factory();

        /**
         * Why {@code WAIT} may reach another connection than the script before it, whose write it then does not confirm,
         * and what to do; {@code null} if both use one connection.
         */
        @Nullable
        String obstacleToConfirmation();

        /** Takes a connection whose server is a replica out of the pool when it is returned. */
        default void leave(RedisConnection toReplica) {}

        @Override
        void close();

        /** Those of the application, which also closes them. */
        record OfApplication(RedisConnectionFactory factory) implements Connections {

            @Override
            public String obstacleToConfirmation() {
                return factory.getClass().getName()
                        + " may ask replicas over another connection than that of the lock; use a"
                        + " LettuceConnectionFactory or a JedisConnectionFactory";
            }

            @Override
            public void close() {}
        }
    }

    /** Runs scripts with a blocking client, on its own threads. */
    private static final class BlockingScriptExecutor implements ScriptExecutor {

        private static final int THREADS = 8;

        private static final byte[] NOTHING = new byte[0];

        private final Connections factory;

        private final RequiredReplicas required;

        /** Whether the client repeats a command whose connection has ended, as Jedis does in a cluster. */
        private final boolean repeats;

        private final CompletableFuture<Void> ended = new CompletableFuture<>();

        private final ThreadPoolExecutor executor =
                new ThreadPoolExecutor(
                        THREADS,
                        THREADS,
                        10,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        DaemonThreads.named("lock-redis")) {
                    @Override
                    protected void terminated() {
                        ended.complete(null);
                    }
                };

        BlockingScriptExecutor(Connections factory, RequiredReplicas required, boolean repeats) {
            this.factory = factory;
            this.required = required;
            this.repeats = repeats;
            executor.allowCoreThreadTimeOut(true);
        }

        RequiredReplicas required() {
            return required;
        }

        @Override
        public <T> CompletableFuture<T> run(RedisScript script, byte[][] keys, byte[]... arguments) {
            CompletableFuture<T> reply = new CompletableFuture<>();
            execute(reply, () -> complete(reply, script, keys, arguments));
            return reply;
        }

        /** Makes the client open a connection, which the client's pool keeps. */
        CompletableFuture<Void> connect() {
            CompletableFuture<Void> connected = new CompletableFuture<>();
            execute(connected, () -> {
                try (RedisConnection connection = open()) {
                    // not PING, for which a user of the documented rights has no permission
                    connection.serverCommands().time();
                    connected.complete(null);
                } catch (Throwable ex) {
                    connected.completeExceptionally(RedisErrors.notConnected(ex));
                }
            });
            return connected;
        }

        private RedisConnection open() {
            try {
                return factory.factory().getConnection();
            } catch (RuntimeException ex) {
                throw RedisErrors.notConnected(ex);
            }
        }

        private void execute(CompletableFuture<?> result, Runnable task) {
            try {
                executor.execute(task);
            } catch (RejectedExecutionException ex) {
                result.completeExceptionally(new BackendFailure(Effect.NOT_DONE, "the backend is closed", ex));
            }
        }

        /** Ends the threads after the scripts that were accepted; completes then. */
        CompletableFuture<Void> close() {
            executor.shutdown();
            return ended;
        }

        private <T> void complete(CompletableFuture<T> reply, RedisScript script, byte[][] keys, byte[][] arguments) {
            if (reply.isCancelled()) {
                return;
            }
            try {
                reply.complete(call(reply, script, keys, arguments));
            } catch (Throwable ex) {
                reply.completeExceptionally(ex);
            }
        }

        private <T> T call(CompletableFuture<T> reply, RedisScript script, byte[][] keys, byte[][] arguments) {
            ReturnType type = script.answer() == RedisScript.Answer.INTEGER ? ReturnType.INTEGER : ReturnType.VALUE;
            byte[][] all = new byte[keys.length + arguments.length][];
            System.arraycopy(keys, 0, all, 0, keys.length);
            System.arraycopy(arguments, 0, all, keys.length, arguments.length);
            try (RedisConnection connection = open()) {
                // the pool may have had none for a long time
                requireNotCancelled(reply);
                try {
                    T answer = call(reply, connection, script, type, keys.length, all);
                    RedisScript.Confirmation confirmation = script.confirmation(answer);
                    if (required.least() > 0 && confirmation != RedisScript.Confirmation.NONE) {
                        requireReplicas(connection, confirmation);
                    }
                    return answer;
                } catch (RuntimeException ex) {
                    if (RedisErrors.isReplica(ex)) {
                        factory.leave(connection);
                    }
                    throw repeats ? RedisErrors.ofRepeated(ex) : ex;
                }
            }
        }

        @SuppressWarnings("unchecked")
        private static <T> T call(
                CompletableFuture<T> reply,
                RedisConnection connection,
                RedisScript script,
                ReturnType type,
                int keys,
                byte[][] keysAndArguments) {
            try {
                return (T) connection.scriptingCommands().evalSha(script.digest(), type, keys, keysAndArguments);
            } catch (RuntimeException ex) {
                if (!RedisErrors.isUnknownScript(ex)) {
                    throw ex;
                }
                requireNotCancelled(reply);
                return (T) connection.scriptingCommands().eval(script.source(), type, keys, keysAndArguments);
            }
        }

        /** A command that is sent late could take the lock again. */
        private static void requireNotCancelled(CompletableFuture<?> reply) {
            if (reply.isCancelled()) {
                throw new CancellationException("the caller gave up before the command was sent");
            }
        }

        private void requireReplicas(RedisConnection connection, RedisScript.Confirmation confirmation) {
            Object confirmed;
            try {
                if (confirmation == RedisScript.Confirmation.DENIAL) {
                    connection.commands().publish(RedisKeys.proof(), NOTHING);
                }
                confirmed = connection.execute(
                        "WAIT",
                        RedisKeys.bytes(required.least()),
                        RedisKeys.bytes(required.timeout().toMillis()));
            } catch (RuntimeException ex) {
                throw new InsufficientReplicasFailure(ex);
            }
            long replicas = confirmed instanceof Long number ? number : 0;
            if (replicas < required.least()) {
                throw new InsufficientReplicasFailure(replicas, required);
            }
        }
    }
}
