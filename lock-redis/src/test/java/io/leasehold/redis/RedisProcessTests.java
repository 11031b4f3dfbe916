package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.engine.LockerSettings;
import io.leasehold.servers.ServerProcess;
import io.leasehold.servers.redis.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several processes that compete for the same lock, while one of them is paused or killed. */
@Tag("slow")
class RedisProcessTests {

    private static final Duration START = Duration.ofSeconds(40);

    private static final Duration TTL = Duration.ofSeconds(2);

    private static final int ATTEMPTS = 20;

    @TempDir
    private Path directory;

    private final RedisServer redis = RedisServer.start();

    private final List<ServerProcess> processes = new ArrayList<>();

    @AfterEach
    void close() {
        processes.forEach(ServerProcess::close);
        redis.close();
    }

    @Test
    void nothingIsLostWhenTwoProcessesCountUnderOneLock() {
        ServerProcess first = start(CountingProcess.class, "4", "250");
        ServerProcess second = start(CountingProcess.class, "4", "250");
        await().atMost(START).until(() -> !first.isAlive() && !second.isAlive());
        assertThat(redis.command("GET", "number"))
                .as("%s%s", first.output(), second.output())
                .isEqualTo("2000");
        assertThat(redis.command("LRANGE", "fences", "0", "-1"))
                .asInstanceOf(LIST)
                .hasSize(2000)
                .isSortedAccordingTo((a, b) -> Long.compare(Long.parseLong((String) a), Long.parseLong((String) b)))
                .doesNotHaveDuplicates();
    }

    @Test
    void aKilledHolderIsReplacedWithinTtlAndASecond() {
        ServerProcess holder = startHolder();
        try (RedisLocking here = new RedisLocking(redis.port(), LockerSettings.of("hold"))) {
            assertThat(here.locker().tryLock("it")).isEmpty();
            holder.kill();
            long killedAt = System.nanoTime();
            Optional<LockHandle> taken = here.locker().tryLock("it", TTL.plusSeconds(10));
            assertThat(taken).isPresent();
            assertThat(Duration.ofNanos(System.nanoTime() - killedAt)).isLessThan(TTL.plusSeconds(1));
        }
    }

    @Test
    void aHolderThatIsPausedForLongerThanTheTtlSeesTheLossInItsFirstCheckAndIsNotified() {
        assertThat(notifiedAfterAPause()).isLessThan(Duration.ofSeconds(20));
    }

    @RepeatedTest(5)
    @Tag("soak")
    void aHolderThatIsPausedForLongerThanTheTtlIsNotifiedImmediately() {
        assertThat(notifiedAfterAPause()).isLessThan(Duration.ofMillis(100));
    }

    /** The release grants it the lock, and it cannot read the message. It is not sure of the lock when it goes on. */
    @Test
    void aWaiterThatIsStoppedBeforeItsGrantArrivesCostsASecond() {
        try (RedisLocking here = new RedisLocking(redis.port(), LockerSettings.of("hold"))) {
            LockHandle first = here.locker().lock("it");
            ServerProcess waiter = stopWaiterThatIsGranted(first, here);
            LockHandle second = here.locker().lock(LockRequest.of("it").withWaitTime(START));
            assertThat(second.fencingToken()).isGreaterThan(first.fencingToken() + 1);
            waiter.resume();
            await().atMost(START).until(this::isGrantExpected);
            assertThat(line(waiter, "held")).isEmpty();
            assertThat(second.isHeld()).isTrue();
            second.close();
            await().atMost(START).until(() -> line(waiter, "held").isPresent());
            assertThat(number(waiter, "held")).isGreaterThan(second.fencingToken());
        }
    }

    /** Releases the lock while a process that waits is stopped. A busy machine may do that too late for a grant. */
    private ServerProcess stopWaiterThatIsGranted(LockHandle held, RedisLocking here) {
        LockHandle lock = held;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            ServerProcess waiter = start(HoldingProcess.class, Long.toString(TTL.toMillis()));
            await().pollInterval(Duration.ofMillis(10)).atMost(START).until(this::isGrantExpected);
            waiter.pause();
            lock.close();
            if (redis.command("EXISTS", "hold:it").equals(1L)) {
                return waiter;
            }
            waiter.kill();
            lock = here.locker().lock(LockRequest.of("it").withWaitTime(START));
        }
        throw new AssertionError("no release in " + ATTEMPTS + " granted the lock to a stopped waiter");
    }

    private boolean isGrantExpected() {
        return redis.command("KEYS", "{hold:it}:queue:*") instanceof List<?> keys && !keys.isEmpty();
    }

    /**
     * Returns how long after the resume of a paused process its holder is notified. The holder never believed in its
     * lock in between.
     */
    private Duration notifiedAfterAPause() {
        ServerProcess holder = startHolder();
        long fence = number(holder, "held");
        try (RedisLocking here = new RedisLocking(redis.port(), LockerSettings.of("hold"))) {
            holder.pause();
            LockHandle taken = here.locker().lock(LockRequest.of("it").withWaitTime(START));
            assertThat(taken.fencingToken()).isGreaterThan(fence);
            long resumedAt = System.nanoTime();
            holder.resume();
            await().atMost(START).until(() -> line(holder, "told").isPresent());
            await().atMost(START).until(() -> line(holder, "last").isPresent());
            assertThat(number(holder, "last")).isLessThan(resumedAt);
            assertThat(number(holder, "told")).isGreaterThan(resumedAt);
            assertThat(taken.isHeld()).isTrue();
            Duration told = Duration.ofNanos(number(holder, "told") - resumedAt);
            System.out.println("A holder that was stopped was told " + told.toMillis() + " ms after it went on");
            return told;
        }
    }

    private ServerProcess startHolder() {
        ServerProcess holder = start(HoldingProcess.class, Long.toString(TTL.toMillis()));
        await().atMost(START).until(() -> line(holder, "held").isPresent());
        return holder;
    }

    private ServerProcess start(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                main.getName(),
                Integer.toString(redis.port())));
        command.addAll(List.of(arguments));
        Path log = directory.resolve("process-" + processes.size() + ".log");
        ServerProcess process = ServerProcess.start(directory, log, command);
        processes.add(process);
        return process;
    }

    private static long number(ServerProcess process, String word) {
        return Long.parseLong(line(process, word).orElseThrow().substring(word.length() + 1));
    }

    private static Optional<String> line(ServerProcess process, String word) {
        return process.output()
                .lines()
                .filter(line -> line.startsWith(word + " "))
                .findFirst();
    }
}
