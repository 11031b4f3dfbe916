package io.leasehold.redis.fastpath;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.redis.RedisClient;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.Token;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A lock that this process acquired a moment ago, and the events that may have happened to it since. */
class CachedFenceCommandsTests {

    private static final int FENCES = 17;

    private static final AcquireAnswer LONG_WAY = new Busy(Duration.ofSeconds(1));

    private static final String FENCE = "{ns:a}:fence";

    private final RedisServer redis = RedisServer.shared();

    private final RedisClient client = RedisClient.of(redis.port());

    private final StatefulRedisConnection<byte[], byte[]> connection =
            ((io.lettuce.core.RedisClient) client.factory().getRequiredNativeClient()).connect(ByteArrayCodec.INSTANCE);

    private final AtomicLong nanoTime = new AtomicLong();

    private final RedisFastPath path = new RedisFastPath(
            new PlainWay(), () -> connection, Duration.ofHours(1), nanoTime::get, () -> missingFence = true);

    private final LockId id = LockId.of("ns", "a");

    private final AtomicLong tokens = new AtomicLong();

    private boolean undone;

    private boolean releasing;

    private volatile boolean missingFence;

    @BeforeEach
    void grantOnce() {
        redis.command("FLUSHALL");
        release(granted());
    }

    @AfterEach
    void close() {
        connection.close();
        client.close();
        redis.command("ACL", "SETUSER", "default", "+incrby");
    }

    @Test
    void itIsGrantedWithoutAScriptAndItsTokensRise() {
        Grant second = granted();
        release(second);
        redis.command("CONFIG", "RESETSTAT");
        Grant third = granted();
        assertThat(third.first()).isGreaterThanOrEqualTo(second.first() + FENCES);
        assertThat(commandStats()).contains("cmdstat_set:", "cmdstat_incrby:").doesNotContain("cmdstat_evalsha:");
        assertThat(redis.command("GET", FENCE)).isEqualTo(Long.toString(third.first() + FENCES - 1));
        release(third);
        assertThat(redis.command("EXISTS", "ns:a")).isEqualTo(0L);
    }

    @Test
    void whileThisProcessHoldsItTheCounterDoesNotChange() {
        Grant second = granted();
        assertThat(acquire()).isEqualTo(LONG_WAY);
        assertThat(redis.command("GET", FENCE)).isEqualTo(Long.toString(second.first() + FENCES - 1));
    }

    @Test
    void aCounterThatLagsBehindTheServersClockIsLeftToAScript() {
        nanoTime.addAndGet(Duration.ofMillis(49).toNanos());
        assertThat(commandsOfAGrant()).contains("cmdstat_incrby:");
        nanoTime.addAndGet(Duration.ofMillis(2).toNanos());
        assertThat(commandsOfAGrant()).contains("cmdstat_evalsha:").doesNotContain("cmdstat_incrby:");
    }

    @Test
    void aNewConnectionMayLeadToAServerThatLostData() {
        path.connectionBroke();
        assertThat(commandsOfAGrant()).contains("cmdstat_evalsha:").doesNotContain("cmdstat_incrby:");
    }

    @Test
    void afterALossOfAllDataTheScriptIsUsed() {
        redis.command("FLUSHALL");
        assertThat(acquire()).isEqualTo(LONG_WAY);
        assertThat(undone).isTrue();
        assertThat(redis.command("EXISTS", "ns:a")).isEqualTo(0L);
    }

    @Test
    void afterALossOfTheLastGrantsTheScriptIsUsed() {
        long kept = Long.parseLong((String) redis.command("GET", FENCE));
        release(granted());
        redis.command("SET", FENCE, Long.toString(kept));
        assertThat(acquire()).isEqualTo(LONG_WAY);
        assertThat(undone).isTrue();
    }

    @Test
    void aCounterRaisedByAnotherClientIsLeftToTheScript() {
        redis.command("INCRBY", FENCE, "65");
        assertThat(acquire()).isEqualTo(LONG_WAY);
        assertThat(undone).isTrue();
        release(granted());
    }

    @Test
    void aValueThatIsNoCounterIsLeftToTheScript() {
        redis.command("SET", FENCE, "text");
        assertThat(acquire()).isEqualTo(LONG_WAY);
        assertThat(redis.command("EXISTS", "ns:a")).isEqualTo(0L);
    }

    @Test
    void aSlowAnswerMayComeFromAnotherServer() {
        connection.setAutoFlushCommands(false);
        CompletableFuture<AcquireAnswer> late = send(command());
        nanoTime.addAndGet(Duration.ofMillis(50).toNanos());
        connection.setAutoFlushCommands(true);
        connection.flushCommands();
        assertThat(late).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(LONG_WAY);
        assertThat(undone).isTrue();
    }

    @Test
    void aBusyLockUsesTheScriptForAWhile() {
        redis.command("SET", "ns:a", "foreign");
        assertThat(acquire()).isEqualTo(LONG_WAY);
        assertThat(undone).isFalse();
        assertThat(redis.command("GET", "ns:a")).isEqualTo("foreign");
        redis.command("DEL", "ns:a");
        assertThat(acquire()).isEqualTo(LONG_WAY);
    }

    @Test
    void aLockWithAWaiterIsReleasedByTheScript() {
        Grant held = granted();
        redis.command("ZADD", "{ns:a}:queue", "1", "somebody");
        assertThat(giveBack(held)).isEqualTo(ReleaseAnswer.NOT_OWNER);
        assertThat(redis.command("EXISTS", "ns:a")).isEqualTo(1L);
    }

    @Test
    void aCallerThatGaveUpBeforeTheWriteAcquiresNoLock() {
        connection.setAutoFlushCommands(false);
        CompletableFuture<AcquireAnswer> givenUp = send(command());
        givenUp.cancel(true);
        connection.setAutoFlushCommands(true);
        connection.flushCommands();
        assertThat(connection.sync().ping()).isEqualTo("PONG");
        assertThat(redis.command("EXISTS", "ns:a")).isEqualTo(0L);
    }

    @Test
    void anUnansweredGrantMayHaveNoNumber() {
        assertThat(missingFence).isFalse();
        connection.setAutoFlushCommands(false);
        CompletableFuture<AcquireAnswer> unanswered = send(command());
        connection.close();
        assertThat(unanswered).failsWithin(Duration.ofSeconds(20));
        assertThat(missingFence).isTrue();
    }

    @Test
    void ifCountingIsForbiddenScriptsAreUsedForAWhile() {
        redis.command("ACL", "SETUSER", "default", "-incrby");
        assertThat(acquire()).isEqualTo(LONG_WAY);
        assertThat(redis.command("EXISTS", "ns:a")).isEqualTo(0L);
        undone = false;
        release(granted());
        release(granted());
        assertThat(undone).isFalse();
    }

    private String commandsOfAGrant() {
        redis.command("CONFIG", "RESETSTAT");
        release(granted());
        return commandStats();
    }

    private Grant granted() {
        AcquireCommand command = command();
        AcquireAnswer answer = send(command).join();
        assertThat(answer).isInstanceOf(Granted.class);
        return new Grant(command, ((Granted) answer).firstFence());
    }

    private AcquireAnswer acquire() {
        return send(command()).join();
    }

    private AcquireCommand command() {
        return new AcquireCommand(id, new Token(1, tokens.incrementAndGet()), Duration.ofSeconds(30), FENCES, true);
    }

    private CompletableFuture<AcquireAnswer> send(AcquireCommand command) {
        return path.acquire(command).toCompletableFuture();
    }

    private void release(Grant held) {
        assertThat(giveBack(held)).isEqualTo(ReleaseAnswer.RELEASED);
    }

    private ReleaseAnswer giveBack(Grant held) {
        releasing = true;
        try {
            return path.release(new ReleaseCommand(id, held.command().token()))
                    .toCompletableFuture()
                    .join();
        } finally {
            releasing = false;
        }
    }

    private String commandStats() {
        return (String) redis.command("INFO", "commandstats");
    }

    private record Grant(AcquireCommand command, long first) {}

    /** The decorated backend. A release that no test requested reverts a lock without a number of its own. */
    private final class PlainWay extends UnreachableStore {

        @Override
        public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
            return CompletableFuture.completedFuture(LONG_WAY);
        }

        @Override
        public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
            if (releasing) {
                return CompletableFuture.completedFuture(ReleaseAnswer.NOT_OWNER);
            }
            undone = true;
            redis.command("DEL", "ns:a");
            return CompletableFuture.completedFuture(ReleaseAnswer.RELEASED);
        }
    }
}
