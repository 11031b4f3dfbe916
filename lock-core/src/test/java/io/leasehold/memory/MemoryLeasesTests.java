package io.leasehold.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Properties of the memory store beyond the contract: the order of wake-ups, and the removal of unused entries. */
class MemoryLeasesTests {

    private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");

    private static final Duration TTL = Duration.ofSeconds(10);

    /** A clock close to its overflow, as a monotonic clock may be. */
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);

    private final MemoryLeases leases = new MemoryLeases(nanos::get, () -> START);

    private long tokens;

    @Test
    void theFirstFenceIsTheTimeInNanoseconds() {
        long start = START.getEpochSecond() * 1_000_000_000;
        assertThat(granted("a")).isEqualTo(start);
        nanos.addAndGet(5_000_000);
        assertThat(granted("b")).isEqualTo(start + 5_000_000);
    }

    @Test
    void aLaterProcessMintsHigherFences() {
        long earlier = granted("a");
        MemoryLeases later = new MemoryLeases(() -> 0, () -> START.plusMillis(1));
        AcquireAnswer answer = later.acquire(command("a", token(), TTL, 1, false));
        assertThat(((Granted) answer).firstFence()).isGreaterThan(earlier);
    }

    @Test
    void aClockMayOverflow() {
        granted("a");
        nanos.addAndGet(TTL.toNanos() - 1);
        assertThat(leases.acquire(command("a", token(), TTL, 1, false)))
                .isEqualTo(new Busy(Duration.ofNanos(1), null, false));
        nanos.addAndGet(1);
        granted("a");
    }

    @Test
    void anEndlessTtlIsNoTrouble() {
        Token token = token();
        Duration endless = Duration.ofSeconds(Long.MAX_VALUE);
        assertThat(leases.acquire(command("a", token, endless, 1, false))).isInstanceOf(Granted.class);
        nanos.addAndGet(Duration.ofDays(20_000).toNanos());
        assertThat(leases.acquire(command("a", token(), TTL, 1, false))).isInstanceOf(Busy.class);
    }

    @Test
    void waitersAreWokenInTheirOrder() {
        Token holder = token();
        leases.acquire(command("a", holder, TTL, 1, false));
        List<CompletableFuture<?>> turns = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            turns.add(turn("a", token()));
        }
        turns.get(1).cancel(false);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < turns.size(); i++) {
            int number = i;
            turns.get(i).thenRun(() -> order.add(number));
        }
        for (int i = 0; i < turns.size(); i++) {
            leases.release(new ReleaseCommand(id("a"), holder));
            holder = token();
            leases.acquire(command("a", holder, TTL, 1, false));
        }
        assertThat(order).containsExactly(0, 2, 3);
    }

    /** A wake-up is delivered after the one that causes it, and its waiter may give up in between. */
    @Test
    void aWakeupWhoseWaiterGivesUpBeforeItArrivesGoesToTheNextOne() {
        Token first = token();
        Token second = token();
        leases.acquire(command("first", first, TTL, 1, false));
        leases.acquire(command("second", second, TTL, 1, false));
        CompletableFuture<?> leaving = turn("second", token());
        CompletableFuture<?> next = turn("second", token());
        turn("first", token()).thenRun(() -> {
            leases.release(new ReleaseCommand(id("second"), second));
            leaving.cancel(false);
        });
        leases.release(new ReleaseCommand(id("first"), first));
        assertThat(next).isCompleted();
    }

    @Test
    void aLongQueueOfWakeupsDoesNotOverflowTheStack() {
        AtomicInteger served = new AtomicInteger();
        Token holder = token();
        leases.acquire(command("a", holder, TTL, 1, false));
        for (int i = 0; i < 20_000; i++) {
            Token waiter = token();
            turn("a", waiter).thenRun(() -> {
                leases.acquire(command("a", waiter, TTL, 1, false));
                served.incrementAndGet();
                leases.release(new ReleaseCommand(id("a"), waiter));
            });
        }
        leases.release(new ReleaseCommand(id("a"), holder));
        assertThat(served).hasValue(20_000);
        assertThat(leases.size()).isZero();
    }

    @Test
    void aReleasedLockWithoutWaitersIsRemoved() {
        Token token = token();
        leases.acquire(command("a", token, TTL, 1, false));
        leases.release(new ReleaseCommand(id("a"), token));
        assertThat(leases.size()).isZero();
    }

    @Test
    void aLockWhoseWaitersHaveLeftIsRemoved() {
        Token token = token();
        leases.acquire(command("a", token, TTL, 1, false));
        CompletableFuture<?> turn = turn("a", token());
        leases.release(new ReleaseCommand(id("a"), token));
        assertThat(turn).isDone();
        assertThat(leases.size()).isZero();
    }

    @Test
    void aWaiterThatLeavesIsRemoved() {
        Token token = token();
        leases.acquire(command("a", token, TTL, 1, false));
        CompletableFuture<?> turn = turn("a", token());
        nanos.addAndGet(TTL.toNanos());
        turn.cancel(false);
        assertThat(leases.size()).isZero();
    }

    @Test
    void expiredUnreleasedLeasesAreRemoved() {
        for (int i = 0; i < 1_000; i++) {
            granted("expired-" + i);
        }
        nanos.addAndGet(TTL.toNanos());
        Token token = token();
        for (int i = 0; i < 1_000; i++) {
            leases.acquire(command("busy", token, TTL, 1, false));
        }
        assertThat(leases.size()).isEqualTo(1);
    }

    @Test
    void theRemovalKeepsHeldLocksAndLocksWithWaiters() {
        Token held = token();
        leases.acquire(command("held", held, TTL.multipliedBy(2), 1, false));
        granted("expired");
        CompletableFuture<?> turn = turn("expired", token());
        nanos.addAndGet(TTL.toNanos());
        for (int i = 0; i < 100; i++) {
            leases.acquire(command("other", held, TTL, 1, false));
        }
        assertThat(leases.size()).isEqualTo(3);
        assertThat(turn).isNotDone();
    }

    private long granted(String key) {
        return ((Granted) leases.acquire(command(key, token(), TTL, 1, false))).firstFence();
    }

    private CompletableFuture<?> turn(String key, Token token) {
        Busy busy = (Busy) leases.acquire(command(key, token, TTL, 1, true));
        return Objects.requireNonNull(busy.wakeup());
    }

    private Token token() {
        return new Token(0, tokens++);
    }

    private static LockId id(String key) {
        return LockId.of("n", key);
    }

    private static AcquireCommand command(String key, Token token, Duration ttl, int fences, boolean queueIfBusy) {
        return new AcquireCommand(id(key), token, ttl, fences, queueIfBusy);
    }
}
