package io.leasehold.backend.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.Token;
import io.leasehold.testsupport.FaultMode;
import io.leasehold.testsupport.FaultProxy;
import io.leasehold.testsupport.RedisServer;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Callers who wait for their answers send and receive on connections of their own; a proxy is between those and Redis. */
class DirectLaneTests {

    private static final Duration PATIENCE = Duration.ofMillis(400);

    private static final AcquireAnswer LONG_WAY = new Busy(Duration.ofSeconds(1));

    private final RedisServer redis = RedisServer.shared();

    private final FaultProxy proxy = new FaultProxy(redis.port());

    private final RedisClient client = RedisClient.of(redis.port());

    private final StatefulRedisConnection<byte[], byte[]> shared =
            ((io.lettuce.core.RedisClient) client.factory().getRequiredNativeClient()).connect(ByteArrayCodec.INSTANCE);

    private final DirectConnections directs = new DirectConnections(
            1, () -> DirectConnection.to(new InetSocketAddress("127.0.0.1", proxy.port())), System::nanoTime);

    private final QuickLane lane = new QuickLane(() -> shared, directs, Duration.ofHours(1), System::nanoTime);

    private final AtomicLong tokens = new AtomicLong();

    @BeforeEach
    void openOne() {
        redis.command("FLUSHALL");
        lockOften();
        await().atMost(Duration.ofSeconds(20)).until(this::goesDirectly);
        giveBack(granted("warm-up"));
    }

    @AfterEach
    void close() {
        lane.close();
        shared.close();
        client.close();
        proxy.close();
    }

    @Test
    void locksAreTakenAndGivenBackWhileTheSharedConnectionRests() {
        shared.setAutoFlushCommands(false);
        redis.command("CONFIG", "RESETSTAT");
        Grant first = granted("a");
        assertThat(giveBack(first)).isEqualTo(ReleaseAnswer.RELEASED);
        assertThat(commandStats()).contains("cmdstat_evalsha:calls=2,").doesNotContain("cmdstat_incrby:");
        Grant second = granted("a");
        assertThat(commandStats()).contains("cmdstat_incrby:calls=1,");
        assertThat(second.first()).isGreaterThan(first.first());
        assertThat(giveBack(second)).isEqualTo(ReleaseAnswer.RELEASED);
        assertThat(redis.command("EXISTS", "ns:a")).isEqualTo(0L);
    }

    @Test
    void aThreadThatMustNotBeHeldIsNot() {
        shared.setAutoFlushCommands(false);
        CompletableFuture<AcquireAnswer> answer = acquire(command("a", Duration.ZERO));
        assertThat(answer).isNotDone();
        shared.setAutoFlushCommands(true);
        shared.flushCommands();
        assertThat(answer).succeedsWithin(Duration.ofSeconds(20)).isInstanceOf(Granted.class);
    }

    @Test
    void aLockThatIsTakenTakesTheLongWay() {
        redis.command("SET", "ns:a", "foreign");
        assertThat(acquire(command("a", PATIENCE))).isCompletedWithValue(LONG_WAY);
    }

    @Test
    void scriptsThatRedisHasForgottenAreSentInFull() {
        redis.command("SCRIPT", "FLUSH");
        Grant granted = granted("a");
        redis.command("SCRIPT", "FLUSH");
        assertThat(giveBack(granted)).isEqualTo(ReleaseAnswer.RELEASED);
    }

    @Test
    void withoutAnAnswerTheLongWayIsTaken() {
        giveBack(granted("a"));
        proxy.set(FaultMode.STALL);
        assertThat(acquire(command("a", PATIENCE))).isCompletedWithValue(LONG_WAY);
        assertThat(lane.isUnsettled()).isTrue();
    }

    @Test
    void aConnectionThatBreaksWithoutAnAnswerIsReplaced() {
        Grant granted = granted("a");
        proxy.set(FaultMode.LOSE_REPLY);
        assertThat(giveBack(granted)).isEqualTo(ReleaseAnswer.NOT_OWNER);
        proxy.pass();
        lockOften();
        await().atMost(Duration.ofSeconds(20)).until(this::goesDirectly);
    }

    @Test
    void whoIsInterruptedWithoutAnAnswerComesBack() throws Exception {
        proxy.set(FaultMode.STALL);
        CompletableFuture<Boolean> flag = new CompletableFuture<>();
        CompletableFuture<AcquireAnswer> longWay = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            lane.acquire(
                    command("a", Duration.ofHours(1)),
                    () -> longWay,
                    () -> CompletableFuture.completedFuture(ReleaseAnswer.RELEASED));
            flag.complete(Thread.currentThread().isInterrupted());
        });
        caller.start();
        await().atMost(Duration.ofSeconds(20)).until(() -> caller.getState() == Thread.State.RUNNABLE);
        caller.interrupt();
        assertThat(flag).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(true);
        caller.join();
    }

    @Test
    void anInterruptEndsNoRelease() {
        Grant granted = granted("a");
        Thread.currentThread().interrupt();
        assertThat(giveBack(granted)).isEqualTo(ReleaseAnswer.RELEASED);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void whenTheSharedConnectionBreaksAllAreClosed() {
        assertThat(clients()).isEqualTo(1);
        lane.connectionBroke();
        await().atMost(Duration.ofSeconds(20)).until(() -> clients() == 0);
    }

    private void lockOften() {
        for (int i = 0; i < 20; i++) {
            giveBack(granted("often"));
        }
    }

    private boolean goesDirectly() {
        Wire wire = directs.take(new QuickRelease(
                new ReleaseCommand(id("x"), token(), Duration.ZERO, PATIENCE), CompletableFuture::new));
        if (wire instanceof DirectWire direct) {
            directs.giveBack(direct.connection());
        }
        return wire != null;
    }

    private int clients() {
        return proxy.connections();
    }

    private Grant granted(String key) {
        AcquireCommand command = command(key, PATIENCE);
        AcquireAnswer answer = acquire(command).join();
        assertThat(answer).isInstanceOf(Granted.class);
        return new Grant(command, ((Granted) answer).firstFence());
    }

    private CompletableFuture<AcquireAnswer> acquire(AcquireCommand command) {
        return lane.acquire(
                command,
                () -> CompletableFuture.completedFuture(LONG_WAY),
                () -> CompletableFuture.completedFuture(ReleaseAnswer.RELEASED));
    }

    private AcquireCommand command(String key, Duration patience) {
        return new AcquireCommand(id(key), token(), Duration.ofSeconds(30), 17, true, patience);
    }

    private ReleaseAnswer giveBack(Grant held) {
        ReleaseCommand command =
                new ReleaseCommand(held.command().id(), held.command().token(), Duration.ZERO, PATIENCE);
        return lane.release(new QuickRelease(command, () -> CompletableFuture.completedFuture(ReleaseAnswer.NOT_OWNER)))
                .join();
    }

    private Token token() {
        return new Token(1, tokens.incrementAndGet());
    }

    private static LockId id(String key) {
        return LockId.of("ns", key);
    }

    private String commandStats() {
        return (String) redis.command("INFO", "commandstats");
    }

    private record Grant(AcquireCommand command, long first) {}
}
