package io.leasehold.redis.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.leasehold.redis.client.RedisScript;
import io.leasehold.redis.client.ScriptExecutor;
import io.leasehold.servers.redis.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.event.command.CommandListener;
import io.lettuce.core.event.command.CommandStartedEvent;
import io.lettuce.core.output.ByteArrayOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Commands that are cancelled, or that the client fails to send, while their connection is opened. A late acquisition
 * would take the lock again.
 */
class LettuceScriptExecutorTests {

    private static final RedisScript SCRIPT =
            RedisScript.of(RedisScript.class, "/io/leasehold/redis/instance_name.lua", RedisScript.Answer.BYTES);

    private static final byte[][] KEYS = {"leasehold-instance-1".getBytes()};

    private final RedisClient client =
            RedisClient.create("redis://127.0.0.1:" + RedisServer.shared().port());

    private final List<String> started = new CopyOnWriteArrayList<>();

    private final CompletableFuture<Void> mayOpen = new CompletableFuture<>();

    private final LazyConnection<RedisClusterAsyncCommands<byte[], byte[]>> connection = new LazyConnection<>(() -> {
        mayOpen.join();
        return client.connect(ByteArrayCodec.INSTANCE).async();
    });

    private final ScriptExecutor scripts =
            new LettuceScriptExecutor(connection, new MasterLookup(), new RefusedHandshake());

    @AfterEach
    void close() {
        client.shutdown();
    }

    @Test
    void aCancelledCommandIsNotSentWhenTheConnectionIsOpen() {
        client.addListener(new CommandListener() {
            @Override
            public void commandStarted(CommandStartedEvent event) {
                started.add(event.getCommand().getType().toString());
            }
        });
        CompletableFuture<byte[]> cancelled = scripts.run(SCRIPT, KEYS);
        cancelled.cancel(true);
        mayOpen.complete(null);
        await().until(() -> connection.ifAny() != null);
        assertThat(started).doesNotContain("EVALSHA");
        scripts.<byte[]>run(SCRIPT, KEYS).join();
        assertThat(started).containsOnlyOnce("EVALSHA");
    }

    @Test
    void anErrorOfTheClientEndsACallThatWaitedForTheConnection() {
        CompletableFuture<Void> waiting = new CompletableFuture<>();
        OutOfMemoryError error = new OutOfMemoryError("Java heap space");
        CompletableFuture<byte[]> call = scriptsOver(
                        () -> {
                            waiting.join();
                            return client.connect(ByteArrayCodec.INSTANCE).async();
                        },
                        command -> {
                            throw error;
                        })
                .run(SCRIPT, KEYS);
        waiting.complete(null);
        await().until(call::isDone);
        assertThat(catchThrowable(call::join)).hasCause(error);
    }

    /** Redis does not know the script, whose source the client then fails to send. */
    @Test
    void anErrorOfTheClientEndsACallThatIsRepeatedBySource() {
        AsyncCommand<byte[], byte[], byte[]> byDigest =
                new AsyncCommand<>(new Command<>(CommandType.EVALSHA, new ByteArrayOutput<>(ByteArrayCodec.INSTANCE)));
        OutOfMemoryError error = new OutOfMemoryError("Java heap space");
        CompletableFuture<byte[]> call = scriptsOver(
                        () -> client.connect(ByteArrayCodec.INSTANCE).async(), command -> {
                            if (command.equals("evalsha")) {
                                return byDigest;
                            }
                            throw error;
                        })
                .run(SCRIPT, KEYS);
        byDigest.completeExceptionally(new RedisNoScriptException("NOSCRIPT No matching script"));
        await().until(call::isDone);
        assertThat(catchThrowable(call::join)).hasCause(error);
    }

    /** Executes scripts over a connection whose commands are those of a function of their names. */
    @SuppressWarnings("unchecked")
    private static ScriptExecutor scriptsOver(
            Supplier<RedisAsyncCommands<byte[], byte[]>> open, Function<String, Object> commands) {
        return new LettuceScriptExecutor(
                new LazyConnection<>(() -> {
                    RedisAsyncCommands<byte[], byte[]> opened = open.get();
                    return (RedisClusterAsyncCommands<byte[], byte[]>) Proxy.newProxyInstance(
                            LettuceScriptExecutorTests.class.getClassLoader(),
                            new Class<?>[] {RedisAsyncCommands.class},
                            (proxy, method, arguments) -> method.getName().equals("getStatefulConnection")
                                    ? LettuceScriptExecutor.connectionOf(opened)
                                    : commands.apply(method.getName()));
                }),
                new MasterLookup(),
                new RefusedHandshake());
    }
}
