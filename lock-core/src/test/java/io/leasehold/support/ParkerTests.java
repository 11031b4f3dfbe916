package io.leasehold.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Threads that wait: the duration of the wait, and the effect of an interrupt. */
class ParkerTests {

    private static final long LONG = Duration.ofHours(1).toNanos();

    private final Parker parker = Parker.system();

    private final Ticker ticker = Ticker.system();

    private final CompletableFuture<String> never = new CompletableFuture<>();

    @AfterEach
    void clearFlag() {
        Thread.interrupted();
    }

    @Test
    void aCompletedFutureIsNotAwaitedEvenByAnInterruptedThread() throws InterruptedException {
        Thread.currentThread().interrupt();
        parker.await(CompletableFuture.completedFuture("answer"), LONG, ticker);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aWaitEndsHoweverTheAnswerEnds() throws InterruptedException {
        parker.await(CompletableFuture.failedFuture(new IllegalStateException("store is down")), LONG, ticker);
        CompletableFuture<String> cancelled = new CompletableFuture<>();
        cancelled.cancel(true);
        parker.await(cancelled, LONG, ticker);
        parker.await(never, 1, ticker);
        assertThat(never).isNotDone();
    }

    @Test
    void anAnswerIsWaitedFor() {
        CompletableFuture<String> answer = new CompletableFuture<>();
        CompletableFuture<String> seen = new CompletableFuture<>();
        Thread waiter = new Thread(() -> {
            parker.awaitUninterruptibly(answer, LONG, ticker);
            seen.complete(answer.getNow("not waited for"));
        });
        waiter.start();
        await().atMost(Duration.ofSeconds(30))
                .until(() -> seen.isDone() || waiter.getState() == Thread.State.TIMED_WAITING);
        answer.complete("answer");
        assertThat(seen).succeedsWithin(Duration.ofSeconds(30)).isEqualTo("answer");
    }

    @Test
    void anInterruptEndsAWait() {
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> parker.await(never, LONG, ticker));
    }

    @Test
    void anUninterruptibleWaitContinuesForItsRemainingTimeAndKeepsTheFlag() {
        AtomicLong now = new AtomicLong();
        Ticker jumping = new Ticker() {

            @Override
            public long nanos() {
                return now.addAndGet(Duration.ofMinutes(20).toNanos());
            }

            @Override
            public long wallMillis() {
                return 0;
            }
        };
        Thread.currentThread().interrupt();
        parker.awaitUninterruptibly(never, LONG, jumping);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(Duration.ofNanos(now.get())).isBetween(Duration.ofHours(1), Duration.ofHours(2));
    }

    @Test
    void aSpuriousWakeupIsFollowedByAWaitForTheRest() throws InterruptedException {
        AtomicLong now = new AtomicLong(5);
        List<Long> waits = new ArrayList<>();
        Parker spurious = new Parker() {

            @Override
            public void park(Object blocker, long nanos) {
                waits.add(nanos);
                now.addAndGet(Math.min(nanos, 40));
            }

            @Override
            public void unpark(Thread thread) {}
        };
        Ticker moved = new Ticker() {

            @Override
            public long nanos() {
                return now.get();
            }

            @Override
            public long wallMillis() {
                return 0;
            }
        };
        spurious.await(never, 100, moved);
        assertThat(waits).containsExactly(100L, 60L, 20L);
    }

    @Test
    void anUninterruptibleWaitThatIsNotInterruptedLeavesTheFlagAlone() {
        parker.awaitUninterruptibly(never, 1, ticker);
        assertThat(Thread.interrupted()).isFalse();
    }
}
