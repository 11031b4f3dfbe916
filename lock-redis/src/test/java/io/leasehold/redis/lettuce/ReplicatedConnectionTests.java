package io.leasehold.redis.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.redis.client.RedisScript;
import io.leasehold.redis.client.RedisScript.Confirmation;
import io.leasehold.redis.client.RequiredReplicas;
import io.leasehold.servers.redis.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A connection whose server has no replicas, so that each confirmation fails, and says so. */
class ReplicatedConnectionTests {

    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private static final RequiredReplicas ONE = new RequiredReplicas(1, Duration.ofMillis(100));

    private final RedisClient client =
            RedisClient.create("redis://127.0.0.1:" + RedisServer.shared().port());

    private final AtomicReference<String> refused = new AtomicReference<>("");

    private volatile boolean withError;

    private final ReplicatedConnection connection = new ReplicatedConnection(
            refusing(client.connect(ByteArrayCodec.INSTANCE)), ONE, new MasterLookup(), new RefusedHandshake());

    @AfterEach
    void close() {
        client.shutdown();
    }

    /** As Lettuce does if the queue of the connection is full, and the JVM if it has no memory left. */
    @ParameterizedTest
    @CsvSource({"publish, false", "waitForReplication, false", "publish, true", "waitForReplication, true"})
    void aConfirmationThatTheClientRefusesDoesNotStopTheFollowingOnes(String command, boolean withError) {
        refused.set(command);
        this.withError = withError;
        assertThat(ask())
                .failsWithin(DEADLINE)
                .withThrowableThat()
                .withStackTraceContaining("Request queue size exceeded");
        refused.set("");
        assertThat(ask())
                .failsWithin(DEADLINE)
                .withThrowableThat()
                .withStackTraceContaining("0 of 1 replicas confirmed");
    }

    private ReplicatedCall<byte[]> ask() {
        RedisScript script = RedisScript.of(
                RedisScript.class,
                "/io/leasehold/redis/instance_name.lua",
                RedisScript.Answer.BYTES,
                reply -> Confirmation.DENIAL);
        ReplicatedCall<byte[]> call =
                new ReplicatedCall<>(script, new byte[][] {"leasehold-instance-1".getBytes()}, new byte[0][]);
        connection.run(call);
        return call;
    }

    @SuppressWarnings("unchecked")
    private StatefulRedisConnection<byte[], byte[]> refusing(StatefulRedisConnection<byte[], byte[]> original) {
        RedisAsyncCommands<byte[], byte[]> commands = proxy(RedisAsyncCommands.class, original.async(), name -> {
            if (name.equals(refused.get())) {
                if (withError) {
                    throw new OutOfMemoryError("Request queue size exceeded");
                }
                throw new RedisException("Request queue size exceeded: 1. Commands are not accepted.");
            }
            return null;
        });
        return proxy(StatefulRedisConnection.class, original, name -> name.equals("async") ? commands : null);
    }

    private static <T> T proxy(Class<T> type, T original, Function<String, @Nullable Object> instead) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> {
            Object other = instead.apply(method.getName());
            if (other != null) {
                return other;
            }
            try {
                return method.invoke(original, args);
            } catch (InvocationTargetException ex) {
                throw ex.getCause();
            }
        }));
    }
}
