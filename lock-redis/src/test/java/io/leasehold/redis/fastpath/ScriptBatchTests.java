package io.leasehold.redis.fastpath;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.memory.MemoryLockBackend;
import io.leasehold.redis.client.RedisKeys;
import io.leasehold.redis.fastpath.RedisFastPath.ContentionFilter;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.Token;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerListOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ScriptBatchTests {

    private final FastPathCall.Acquire first = acquire("a", 1);

    private final ScriptBatch batch = ScriptBatch.with(first, RedisKeys.bytes(3_600_000));

    @Test
    void callersJoinUntilItIsWritten() {
        assertThat(batch.joinedBy(acquire("b", 2))).isTrue();
        String written = write(batch);
        assertThat(written).contains("ns:a", "{ns:a}:fence", "ns:b", "{ns:b}:queue", "30000");
        assertThat(batch.joinedBy(acquire("c", 3))).isFalse();
    }

    @Test
    void itIsWrittenAsLettuceWritesACommand() {
        batch.joinedBy(new FastPathCall.Release(
                new ReleaseCommand(LockId.of("ns", "b"), new Token(2, 2), Duration.ZERO), store()));
        CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE)
                .add(ScriptBatch.SCRIPT.digest())
                .add(5);
        for (String key : List.of("ns:a", "{ns:a}:fence", "{ns:a}:queue", "ns:b", "{ns:b}:queue")) {
            arguments.addKey(RedisKeys.bytes(key));
        }
        arguments
                .add(3_600_000)
                .addValue(new Token(1, 1).bytesWithHolder())
                .add(30_000)
                .add(17)
                .addValue(new Token(2, 2).bytesWithHolder())
                .add(0);
        assertThat(write(batch))
                .isEqualTo(write(new Command<>(
                        CommandType.EVALSHA, new IntegerListOutput<>(ByteArrayCodec.INSTANCE), arguments)));
    }

    @Test
    void aResentBatchIsUnchanged() {
        String once = write(batch);
        first.cancel(true);
        assertThat(write(batch)).isEqualTo(once);
    }

    @Test
    void aCallerThatGaveUpBeforeIsLeftOut() {
        FastPathCall.Acquire second = acquire("b", 2);
        batch.joinedBy(second);
        first.cancel(true);
        assertThat(write(batch)).contains("ns:b").doesNotContain("ns:a");
        assertThat(batch.close()).isEqualTo(List.of(second));
    }

    @Test
    void itsSizeIsLimited() {
        int joined = 1;
        while (batch.joinedBy(acquire("k" + joined, joined))) {
            joined++;
        }
        assertThat(joined).isEqualTo(16);
    }

    /** During an outage a batch waits for a connection while its callers give up and others come. */
    @Test
    void callersThatGaveUpLeaveTheirPlacesToOthers() {
        for (int i = 0; i < 1000; i++) {
            FastPathCall.Acquire next = acquire("k" + i, i);
            assertThat(batch.joinedBy(next)).isTrue();
            next.cancel(true);
        }
        assertThat(batch.close()).hasSizeLessThanOrEqualTo(16).contains(first);
    }

    /** As Lettuce refuses if the queue of the connection is full, and as a class that cannot be loaded ends a call. */
    @ParameterizedTest
    @MethodSource
    void aBatchThatIsNotSentTakesNoFurtherCallers(Throwable refusal) {
        AtomicInteger dispatched = new AtomicInteger();
        StatefulRedisConnection<byte[], byte[]> connection = refusing(refusal, dispatched);
        ScriptBatch.Sender sender = new ScriptBatch.Sender(RedisKeys.bytes(3_600_000), new ContentionFilter());
        FastPathCall.Acquire second = acquire("b", 2);
        sender.send(connection, first);
        sender.send(connection, second);
        assertThat(List.of(first, second))
                .allSatisfy(call -> assertThat(call)
                        .failsWithin(Duration.ZERO)
                        .withThrowableThat()
                        .withStackTraceContaining("cannot be sent"));
        assertThat(dispatched).hasValue(2);
    }

    static Stream<Throwable> aBatchThatIsNotSentTakesNoFurtherCallers() {
        return Stream.of(new RedisException("cannot be sent"), new NoClassDefFoundError("cannot be sent"));
    }

    @SuppressWarnings("unchecked")
    private static StatefulRedisConnection<byte[], byte[]> refusing(Throwable refusal, AtomicInteger dispatched) {
        return (StatefulRedisConnection<byte[], byte[]>) Proxy.newProxyInstance(
                ScriptBatchTests.class.getClassLoader(),
                new Class<?>[] {StatefulRedisConnection.class},
                (self, method, arguments) -> {
                    dispatched.incrementAndGet();
                    throw refusal;
                });
    }

    private static FastPathCall.Acquire acquire(String key, long token) {
        AcquireCommand command =
                new AcquireCommand(LockId.of("ns", key), new Token(token, token), Duration.ofSeconds(30), 17, true);
        return new FastPathCall.Acquire(command, store());
    }

    private static LockBackend store() {
        return new MemoryLockBackend(System::nanoTime, InstantSource.system());
    }

    private static String write(RedisCommand<byte[], byte[], ?> batch) {
        ByteBuf buffer = Unpooled.buffer();
        batch.encode(buffer);
        return buffer.toString(StandardCharsets.UTF_8);
    }
}
