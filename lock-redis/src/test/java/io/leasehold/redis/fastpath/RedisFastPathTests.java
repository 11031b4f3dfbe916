package io.leasehold.redis.fastpath;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.memory.MemoryLockBackend;
import io.leasehold.redis.RedisClient;
import io.leasehold.redis.RedisUser;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.DelegatingLockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.Token;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several callers in one script. A fault of one of them affects that one alone. */
class RedisFastPathTests {

    private static final AcquireAnswer LONG_WAY = new Busy(Duration.ofSeconds(1));

    private static final Token HELD = new Token(2, 1);

    private final RedisServer redis = RedisServer.shared();

    private final RedisClient client = RedisClient.of(redis.port());

    private final io.lettuce.core.RedisClient lettuce =
            (io.lettuce.core.RedisClient) client.factory().getRequiredNativeClient();

    private StatefulRedisConnection<byte[], byte[]> connection = lettuce.connect(ByteArrayCodec.INSTANCE);

    private final RedisFastPath path = new RedisFastPath(new PlainWay(), () -> connection, Duration.ofHours(1));

    private final AtomicLong tokens = new AtomicLong();

    @BeforeEach
    void holdWhatIsSent() {
        redis.command("FLUSHALL");
        connection.setAutoFlushCommands(false);
    }

    @AfterEach
    void close() {
        if (connection.isOpen()) {
            connection.close();
        }
        client.close();
        redis.command("ACL", "DELUSER", "one-namespace");
    }

    @Test
    void concurrentCallersShareAScript() {
        CompletableFuture<AcquireAnswer> a = take("ns", "a");
        CompletableFuture<AcquireAnswer> b = take("ns", "b");
        redis.command("SCRIPT", "FLUSH");
        redis.command("CONFIG", "RESETSTAT");
        send();
        assertThat(a).succeedsWithin(Duration.ofSeconds(20)).isInstanceOf(Granted.class);
        assertThat(b).succeedsWithin(Duration.ofSeconds(20)).isInstanceOf(Granted.class);
        assertThat((String) redis.command("INFO", "commandstats"))
                .contains("cmdstat_evalsha:calls=1,", "cmdstat_eval:calls=1,");
    }

    @Test
    void aBusyKeyOrOneOfAWrongTypeAloneFallsBack() {
        redis.command("SET", "ns:busy", "foreign");
        redis.command("LPUSH", "{ns:wrong}:fence", "x");
        redis.command("SET", "{ns:queue}:queue", "x");
        redis.command("SET", "{ns:text}:fence", "x");
        CompletableFuture<AcquireAnswer> busy = take("ns", "busy");
        CompletableFuture<AcquireAnswer> wrong = take("ns", "wrong");
        CompletableFuture<AcquireAnswer> queue = take("ns", "queue");
        CompletableFuture<AcquireAnswer> text = take("ns", "text");
        CompletableFuture<AcquireAnswer> free = take("ns", "free");
        send();
        assertThat(free).succeedsWithin(Duration.ofSeconds(20)).isInstanceOf(Granted.class);
        assertThat(busy).isCompletedWithValue(LONG_WAY);
        assertThat(wrong).isCompletedWithValue(LONG_WAY);
        assertThat(queue).isCompletedWithValue(LONG_WAY);
        assertThat(text).isCompletedWithValue(LONG_WAY);
        assertThat(redis.command("EXISTS", "ns:wrong", "ns:queue", "ns:text")).isEqualTo(0L);
    }

    @Test
    void aForbiddenKeySplitsTheScript() {
        RedisUser.documented().inNamespaces("ns").create(redis, "one-namespace");
        connection.close();
        RedisURI uri = RedisURI.builder()
                .withHost("127.0.0.1")
                .withPort(redis.port())
                .withAuthentication("one-namespace", "secret")
                .build();
        connection = lettuce.connect(ByteArrayCodec.INSTANCE, uri);
        connection.setAutoFlushCommands(false);
        CompletableFuture<AcquireAnswer> forbidden = take("payroll", "a");
        CompletableFuture<AcquireAnswer> allowed = take("ns", "a");
        send();
        assertThat(forbidden).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(LONG_WAY);
        assertThat(allowed).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(LONG_WAY);
    }

    @Test
    void aReleaseOfALockWithAWaiterFallsBack() {
        redis.command("SET", "ns:a", HELD.valueWithHolder());
        redis.command("SET", "ns:b", HELD.valueWithHolder());
        redis.command("ZADD", "{ns:a}:queue", "1", "somebody");
        CompletableFuture<ReleaseAnswer> a = giveBack("a");
        CompletableFuture<ReleaseAnswer> b = giveBack("b");
        CompletableFuture<ReleaseAnswer> lost = giveBack("lost");
        send();
        assertThat(b).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(ReleaseAnswer.RELEASED);
        assertThat(a).isCompletedWithValue(ReleaseAnswer.NOT_OWNER);
        assertThat(lost).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(ReleaseAnswer.NOT_OWNER);
        assertThat(redis.command("EXISTS", "ns:a")).isEqualTo(1L);
        assertThat(redis.command("EXISTS", "ns:b")).isEqualTo(0L);
    }

    @Test
    void anAcquisitionThatIsRefusedForLackOfMemoryKeepsNoReleaseFromBeingExecuted() {
        redis.command("SET", "ns:held", HELD.valueWithHolder());
        CompletableFuture<AcquireAnswer> refused = take("ns", "a");
        CompletableFuture<ReleaseAnswer> released = giveBack("held");
        redis.command("CONFIG", "SET", "maxmemory", "1");
        try {
            send();
            assertThat(released).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(ReleaseAnswer.RELEASED);
            assertThat(refused).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(LONG_WAY);
        } finally {
            redis.command("CONFIG", "SET", "maxmemory", "0");
        }
    }

    @Test
    void aClosedConnectionFailsAllCallers() {
        connection.close();
        CompletableFuture<AcquireAnswer> a = take("ns", "a");
        assertThat(a).failsWithin(Duration.ofSeconds(20));
        CompletableFuture<AcquireAnswer> b = take("ns", "b");
        assertThat(b).failsWithin(Duration.ofSeconds(20));
    }

    private CompletableFuture<AcquireAnswer> take(String namespace, String key) {
        AcquireCommand command = new AcquireCommand(
                LockId.of(namespace, key), new Token(1, tokens.incrementAndGet()), Duration.ofSeconds(30), 17, true);
        return path.acquire(command).toCompletableFuture();
    }

    private CompletableFuture<ReleaseAnswer> giveBack(String key) {
        return path.release(new ReleaseCommand(LockId.of("ns", key), HELD)).toCompletableFuture();
    }

    private void send() {
        connection.setAutoFlushCommands(true);
        connection.flushCommands();
    }

    /** The decorated backend. Tests never ask it to release a lock that they acquired. */
    private static final class PlainWay extends DelegatingLockBackend {

        PlainWay() {
            super(new MemoryLockBackend(System::nanoTime, InstantSource.system()));
        }

        @Override
        public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
            return CompletableFuture.completedFuture(LONG_WAY);
        }

        @Override
        public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
            assertThat(command.token()).isEqualTo(HELD);
            return CompletableFuture.completedFuture(ReleaseAnswer.NOT_OWNER);
        }
    }
}
