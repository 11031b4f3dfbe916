package io.leasehold.redis;

import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.ReturnType;

/** Runs scripts over a client whose calls block, on a few threads of its own. */
final class BlockingScriptRunner implements ScriptRunner {

    private static final int THREADS = 8;

    private final RedisConnectionFactory factory;

    private final Replicas required;

    private final ThreadPoolExecutor executor = new ThreadPoolExecutor(
            THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), BlockingScriptRunner::newThread);

    BlockingScriptRunner(RedisConnectionFactory factory, Replicas required) {
        this.factory = factory;
        this.required = required;
        executor.allowCoreThreadTimeOut(true);
    }

    Replicas required() {
        return required;
    }

    @Override
    public <T> CompletableFuture<T> run(RedisScript script, byte[][] keys, byte[]... arguments) {
        CompletableFuture<T> reply = new CompletableFuture<>();
        try {
            executor.execute(() -> complete(reply, script, keys, arguments));
        } catch (RejectedExecutionException ex) {
            reply.completeExceptionally(new BackendFailure(Effect.NOT_DONE, "the backend is closed", ex));
        }
        return reply;
    }

    /** Has the client open a connection, which its pool keeps. */
    CompletableFuture<Void> connect() {
        CompletableFuture<Void> connected = new CompletableFuture<>();
        try {
            executor.execute(() -> {
                try (RedisConnection connection = factory.getConnection()) {
                    connection.commands().ping();
                    connected.complete(null);
                } catch (Throwable ex) {
                    connected.completeExceptionally(
                            new BackendFailure(Effect.NOT_DONE, "no connection to Redis: " + ex.getMessage(), ex));
                }
            });
        } catch (RejectedExecutionException ex) {
            connected.completeExceptionally(new BackendFailure(Effect.NOT_DONE, "the backend is closed", ex));
        }
        return connected;
    }

    @Override
    public void close() {
        executor.shutdown();
    }

    private <T> void complete(CompletableFuture<T> reply, RedisScript script, byte[][] keys, byte[][] arguments) {
        if (reply.isCancelled()) {
            return;
        }
        try {
            reply.complete(call(script, keys, arguments));
        } catch (Throwable ex) {
            reply.completeExceptionally(ex);
        }
    }

    private <T> T call(RedisScript script, byte[][] keys, byte[][] arguments) {
        ReturnType type = script.answer() == RedisScript.Answer.INTEGER ? ReturnType.INTEGER : ReturnType.VALUE;
        byte[][] all = new byte[keys.length + arguments.length][];
        System.arraycopy(keys, 0, all, 0, keys.length);
        System.arraycopy(arguments, 0, all, keys.length, arguments.length);
        try (RedisConnection connection = factory.getConnection()) {
            T answer = call(connection, script, type, keys.length, all);
            if (required.least() > 0 && script.wrote(answer)) {
                requireReplicas(connection);
            }
            return answer;
        }
    }

    @SuppressWarnings("unchecked")
    private static <T> T call(
            RedisConnection connection, RedisScript script, ReturnType type, int keys, byte[][] keysAndArguments) {
        try {
            return (T) connection.scriptingCommands().evalSha(script.digest(), type, keys, keysAndArguments);
        } catch (RuntimeException ex) {
            if (!RedisFailures.isUnknownScript(ex)) {
                throw ex;
            }
            return (T) connection.scriptingCommands().eval(script.source(), type, keys, keysAndArguments);
        }
    }

    private void requireReplicas(RedisConnection connection) {
        Object confirmed;
        try {
            confirmed = connection.execute(
                    "WAIT",
                    RedisKeys.bytes(required.least()),
                    RedisKeys.bytes(required.timeout().toMillis()));
        } catch (RuntimeException ex) {
            throw new TooFewReplicas(ex);
        }
        long replicas = confirmed instanceof Long number ? number : 0;
        if (replicas < required.least()) {
            throw new TooFewReplicas(replicas, required);
        }
    }

    private static Thread newThread(Runnable task) {
        Thread thread = new Thread(task, "lock-redis");
        thread.setDaemon(true);
        return thread;
    }
}
