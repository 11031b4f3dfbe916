package io.leasehold.redis.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.redis.client.RedisScript;
import io.leasehold.redis.client.ScriptExecutor;
import io.leasehold.servers.redis.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.event.command.CommandListener;
import io.lettuce.core.event.command.CommandStartedEvent;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A command that is cancelled while its connection is opened. A late acquisition would take the lock again. */
class LettuceScriptExecutorTests {

    private static final RedisScript SCRIPT =
            RedisScript.of(RedisScript.class, "/io/leasehold/redis/instance_name.lua", RedisScript.Answer.BYTES);

    private static final byte[][] KEYS = {"leasehold-instance-1".getBytes()};

    private final RedisClient client =
            RedisClient.create("redis://127.0.0.1:" + RedisServer.shared().port());

    private final List<String> started = new CopyOnWriteArrayList<>();

    private final CompletableFuture<Void> mayOpen = new CompletableFuture<>();

    private final LazyConnection<io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands<byte[], byte[]>>
            connection = new LazyConnection<>(() -> {
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
}
