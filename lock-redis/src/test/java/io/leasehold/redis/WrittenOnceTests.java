package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.Token;
import io.leasehold.testsupport.FaultMode;
import io.leasehold.testsupport.FaultProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A connection breaks after a command. The next connection does not carry a second copy of the command. */
class WrittenOnceTests {

    private static final int KEYS = 4;

    private final RedisServer redis = RedisServer.shared();

    private final FaultProxy proxy = new FaultProxy(redis.port());

    private final RedisClient client = RedisClient.of(proxy.port());

    private final LockBackend backend = RedisLockBackend.of(client.factory(), RedisLockOptions.defaults());

    /** Redis knows all scripts afterwards, so that the next answer is not NOSCRIPT. */
    @BeforeEach
    void connect() throws Exception {
        redis.command("FLUSHALL");
        LockId other = LockId.of("once", "other");
        for (long token = 100; token < 105; token++) {
            answer(backend.acquire(new AcquireCommand(other, token(token), Duration.ofSeconds(30), 1, false)));
        }
        answer(backend.renew(List.of(new RenewCommand(other, token(100), Duration.ofSeconds(30)))));
        answer(backend.release(new ReleaseCommand(other, token(100), Duration.ofSeconds(30))));
        redis.command("CONFIG", "RESETSTAT");
    }

    @AfterEach
    void close() {
        backend.close();
        client.close();
        proxy.close();
    }

    /** The script asks once for the length of the queue of each lock, however many locks one command acquires. */
    @Test
    void acquisitionsAreNotRepeated() throws Exception {
        assertThat(executions("cmdstat_zcard:", key -> backend.acquire(acquisition(key, 1))))
                .isBetween(1, KEYS);
    }

    @Test
    void releasesAreNotRepeated() throws Exception {
        for (int key = 0; key < KEYS; key++) {
            answer(backend.acquire(acquisition(key, 1)));
        }
        Duration retainFor = Duration.ofSeconds(5);
        assertThat(executions("cmdstat_set:", key -> backend.release(new ReleaseCommand(id(key), token(1), retainFor))))
                .isEqualTo(KEYS);
    }

    @Test
    void renewalsAreNotRepeated() throws Exception {
        assertThat(executions(
                        "cmdstat_mget:",
                        key -> backend.renew(List.of(new RenewCommand(id(key), token(1), Duration.ofSeconds(30))))))
                .isEqualTo(KEYS);
    }

    @Test
    void aCommandThatWasNotWrittenWaitsForTheNextConnection() throws Exception {
        proxy.set(FaultMode.REFUSE);
        TimeUnit.MILLISECONDS.sleep(200);
        redis.command("CONFIG", "RESETSTAT");
        CompletionStage<?> waiting = backend.acquire(acquisition(0, 1));
        proxy.pass();
        assertThat(answer(waiting)).isInstanceOf(Granted.class);
        assertThat(calls("cmdstat_set:")).isEqualTo(2);
    }

    /**
     * Writes a command for each key, lets Redis execute all of them, and cuts the connection before any is answered.
     *
     * @return how often Redis has executed the counted command, up to the first answer on the next connection
     */
    private int executions(String counted, IntFunction<CompletionStage<?>> call) throws Exception {
        redis.command("CONFIG", "RESETSTAT");
        redis.command("CLIENT", "PAUSE", "300", "ALL");
        List<CompletableFuture<?>> calls = new ArrayList<>();
        for (int key = 0; key < KEYS; key++) {
            calls.add(call.apply(key).toCompletableFuture());
        }
        proxy.loseNextReply();
        for (CompletableFuture<?> each : calls) {
            assertThat(each.handle((answer, failure) -> effect(failure)).get(10, TimeUnit.SECONDS))
                    .isEqualTo(Effect.UNKNOWN);
        }
        answer(backend.release(new ReleaseCommand(id(KEYS), token(1), Duration.ofSeconds(1))));
        return calls(counted);
    }

    private static @Nullable Effect effect(@Nullable Throwable failure) {
        return failure instanceof BackendFailure known ? known.effect() : null;
    }

    private static <T> T answer(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private int calls(String command) {
        String stats = (String) redis.command("INFO", "commandstats");
        int start = stats.indexOf(command + "calls=");
        if (start < 0) {
            return 0;
        }
        int from = start + command.length() + "calls=".length();
        return Integer.parseInt(stats.substring(from, stats.indexOf(',', from)));
    }

    private static AcquireCommand acquisition(int key, long token) {
        return new AcquireCommand(id(key), token(token), Duration.ofSeconds(30), 1, false);
    }

    private static LockId id(int key) {
        return LockId.of("once", "k" + key);
    }

    private static Token token(long number) {
        return new Token(1, number);
    }
}
