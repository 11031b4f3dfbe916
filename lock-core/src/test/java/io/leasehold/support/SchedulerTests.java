package io.leasehold.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.testsupport.QuietLog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The thread for all timed tasks of the engine. */
class SchedulerTests {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final QuietLog quiet = new QuietLog("io.leasehold.support");

    private final Scheduler scheduler = Scheduler.daemon("lock-timer");

    private final List<String> ran = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        scheduler.close();
        quiet.close();
    }

    @Test
    void tasksRunOnOneDaemonThreadOfHighPriority() {
        Thread first = threadOf(0);
        assertThat(first.getName()).isEqualTo("lock-timer");
        assertThat(first.isDaemon()).isTrue();
        assertThat(first.getPriority()).isEqualTo(Thread.MAX_PRIORITY);
        assertThat(threadOf(1_000_000)).isSameAs(first);
    }

    @Test
    void aTaskInThePastRunsInItsTurn() {
        Runnable goOn = hold();
        scheduler.schedule(() -> ran.add("first"), 0);
        scheduler.schedule(() -> ran.add("second"), -LONG.toNanos());
        goOn.run();
        await().atMost(LONG).until(() -> ran.size() == 2);
        assertThat(ran).containsExactly("first", "second");
    }

    @Test
    void aCancelledTaskDoesNotRun() {
        Runnable goOn = hold();
        scheduler.schedule(() -> ran.add("given up"), 0).cancel();
        scheduler.schedule(() -> ran.add("kept"), 0);
        goOn.run();
        await().atMost(LONG).until(() -> !ran.isEmpty());
        assertThat(ran).containsExactly("kept");
    }

    @Test
    void aTaskThatFailsDoesNotEndTheOthers() {
        Thread before = threadOf(0);
        scheduler.schedule(
                () -> {
                    throw new AssertionError("a task that fails");
                },
                0);
        assertThat(threadOf(0)).isSameAs(before);
    }

    @Test
    void afterCloseNoTaskRunsAndNoExceptionIsThrown() {
        Thread timer = threadOf(0);
        scheduler.schedule(() -> ran.add("too late"), LONG.toNanos());
        scheduler.close();
        scheduler.schedule(() -> ran.add("after the close"), 0).cancel();
        await().atMost(LONG).until(() -> !timer.isAlive());
        assertThat(ran).isEmpty();
    }

    /** Keeps the thread busy until the returned task runs. */
    private Runnable hold() {
        CompletableFuture<Void> begun = new CompletableFuture<>();
        CompletableFuture<Void> end = new CompletableFuture<>();
        scheduler.schedule(
                () -> {
                    begun.complete(null);
                    end.join();
                },
                0);
        assertThat(begun).succeedsWithin(LONG);
        return () -> end.complete(null);
    }

    private Thread threadOf(long delayNanos) {
        CompletableFuture<Thread> ran = new CompletableFuture<>();
        scheduler.schedule(() -> ran.complete(Thread.currentThread()), delayNanos);
        return ran.orTimeout(LONG.toSeconds(), TimeUnit.SECONDS).join();
    }
}
