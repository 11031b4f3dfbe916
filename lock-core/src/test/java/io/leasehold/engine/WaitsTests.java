package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Threads that wait: for how long, and what an interrupt means to them. */
class WaitsTests {

    private static final long LONG = Duration.ofHours(1).toNanos();

    private final VirtualTime time = new VirtualTime();

    private final CompletableFuture<String> never = ScriptedBackend.never();

    @AfterEach
    void clearFlag() {
        Thread.interrupted();
    }

    @Test
    void whatHasEndedIsNotWaitedForEvenByAnInterruptedThread() throws InterruptedException {
        Thread.currentThread().interrupt();
        Waits.await(ScriptedBackend.done("answer"), LONG);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aWaitEndsHoweverTheAnswerEnds() throws InterruptedException {
        Waits.await(CompletableFuture.failedFuture(new IllegalStateException("store is down")), LONG);
        CompletableFuture<String> cancelled = ScriptedBackend.never();
        cancelled.cancel(true);
        Waits.await(cancelled, LONG);
        Waits.await(never, 1);
        assertThat(never).isNotDone();
    }

    @Test
    void anAnswerIsWaitedFor() {
        CompletableFuture<String> answer = ScriptedBackend.never();
        CompletableFuture<String> seen = new CompletableFuture<>();
        Thread waiter = new Thread(() -> {
            Waits.awaitUninterruptibly(answer, LONG, time);
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
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> Waits.await(never, LONG));
    }

    @Test
    void anUninterruptibleWaitGoesOnForTheRestOfItsTimeAndKeepsTheFlag() {
        long start = time.nanos();
        Ticker jumping = new Ticker() {

            @Override
            public long nanos() {
                time.freeze(Duration.ofMinutes(30));
                return time.nanos();
            }

            @Override
            public long wallMillis() {
                return time.wallMillis();
            }
        };
        Thread.currentThread().interrupt();
        Waits.awaitUninterruptibly(never, LONG, jumping);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(Duration.ofNanos(time.nanos() - start)).isEqualTo(Duration.ofMinutes(90));
    }

    @Test
    void anUninterruptibleWaitThatIsNotInterruptedLeavesTheFlagAlone() {
        Waits.awaitUninterruptibly(never, 1, time);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void aSleepSaysWhetherItWasInterrupted() {
        assertThat(Waits.sleep(1)).isFalse();
        Thread.currentThread().interrupt();
        assertThat(Waits.sleep(LONG)).isTrue();
        assertThat(Thread.interrupted()).isFalse();
    }
}
