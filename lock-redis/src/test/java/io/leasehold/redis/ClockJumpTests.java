package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockHandle;
import io.leasehold.engine.LockerSettings;
import io.leasehold.servers.ServerProcess;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.testsupport.FakeTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** F13 and R3: the holder's time of day jumps while it holds a lock. No other process ever acquires the lock. */
@Tag("slow")
@Timeout(value = 150, unit = TimeUnit.SECONDS)
class ClockJumpTests {

    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private static final Duration TTL = Duration.ofSeconds(3);

    @TempDir
    private Path directory;

    private final RedisServer redis = RedisServer.start();

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void aJumpAheadIsDoubtedUntilTheStoreHasConfirmedTheLock() {
        FakeTime time = new FakeTime(directory);
        try (ServerProcess holder = start(time);
                RedisLocking here = new RedisLocking(redis.port(), LockerSettings.of("hold"))) {
            time.move(Duration.ofMinutes(10));
            await().atMost(DEADLINE).until(() -> holder.hasPrinted("jumped 600") || holder.hasPrinted("jumped 599"));
            await().atMost(DEADLINE).until(() -> holder.hasPrinted("again "));
            assertThat(holder.hasPrinted("not ")).isTrue();
            assertNoOtherProcessAcquiresIt(here, holder);
        }
    }

    @Test
    void aJumpBackChangesNothing() {
        FakeTime time = new FakeTime(directory);
        try (ServerProcess holder = start(time);
                RedisLocking here = new RedisLocking(redis.port(), LockerSettings.of("hold"))) {
            time.move(Duration.ofMinutes(-10));
            await().atMost(DEADLINE).until(() -> holder.hasPrinted("jumped -600") || holder.hasPrinted("jumped -599"));
            assertNoOtherProcessAcquiresIt(here, holder);
            assertThat(holder.hasPrinted("not ")).isFalse();
        }
    }

    @Test
    void aClockThatWasSetBackDoesNotProlongTheLockOfAHolderThatWasStopped() {
        FakeTime time = new FakeTime(directory);
        try (ServerProcess holder = start(time);
                RedisLocking here = new RedisLocking(redis.port(), LockerSettings.of("hold"))) {
            holder.pause();
            time.move(Duration.ofMinutes(-10));
            Optional<LockHandle> taken = here.locker().tryLock("it", TTL.plus(DEADLINE));
            assertThat(taken).isPresent();
            long takenAt = System.nanoTime();
            holder.resume();
            await().atMost(DEADLINE).until(() -> holder.hasPrinted("lost ") && holder.hasPrinted("not "));
            assertThat(holder.hasPrinted("again ")).isFalse();
            assertThat(lastHeld(holder)).isLessThan(takenAt);
            assertThat(taken.orElseThrow().isHeld()).isTrue();
        }
    }

    private static void assertNoOtherProcessAcquiresIt(RedisLocking here, ServerProcess holder) {
        assertThat(here.locker().tryLock("it", TTL.multipliedBy(2))).isEmpty();
        assertThat(holder.hasPrinted("lost ")).isFalse();
    }

    /** When the holder last held the lock that it does not hold any more. */
    private static long lastHeld(ServerProcess holder) {
        return holder.output()
                .lines()
                .filter(line -> line.startsWith("not "))
                .mapToLong(line -> Long.parseLong(line.substring("not ".length())))
                .findFirst()
                .orElseThrow();
    }

    private ServerProcess start(FakeTime time) {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                WatchingProcess.class.getName(),
                Integer.toString(redis.port()),
                Long.toString(TTL.toMillis()));
        ServerProcess holder = ServerProcess.start(directory, directory.resolve("holder.log"), time.command(command));
        await().atMost(DEADLINE).until(() -> holder.hasPrinted("held "));
        return holder;
    }
}
