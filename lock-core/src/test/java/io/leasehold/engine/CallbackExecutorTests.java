package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.leasehold.support.DaemonThreads;
import io.leasehold.testsupport.EndOfThreadQueue;
import io.leasehold.testsupport.QuietLog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The threads for code of the application. */
class CallbackExecutorTests {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final QuietLog quiet = new QuietLog("io.leasehold.engine");

    private final CallbackExecutor executor = new CallbackExecutor("lock-callback", 2, 1);

    private final CountDownLatch blocked = new CountDownLatch(1);

    @AfterEach
    void close() {
        blocked.countDown();
        executor.close();
        quiet.close();
    }

    @Test
    void tasksRunOnDaemonThreadsOfTheirOwn() {
        CompletableFuture<Thread> ran = new CompletableFuture<>();
        executor.execute(() -> ran.complete(Thread.currentThread()));
        assertThat(ran).succeedsWithin(LONG).satisfies(thread -> {
            assertThat(thread.getName()).isEqualTo("lock-callback");
            assertThat(thread.isDaemon()).isTrue();
        });
    }

    /** Callers expect a rejection only. An Error would end a look at leases half-way. */
    @Test
    void aTaskForWhichNoThreadCanBeStartedIsRejected() {
        CallbackExecutor threadless = new CallbackExecutor(
                task -> {
                    throw new OutOfMemoryError("unable to create native thread");
                },
                1,
                1);
        assertThatExceptionOfType(RejectedExecutionException.class)
                .isThrownBy(() -> threadless.execute(() -> {}))
                .withMessage("no thread could be started");
        threadless.close();
    }

    /** The thread that hands over a task is the timer of the renewals. */
    @Test
    void aTaskForWhichNoFurtherThreadCanBeStartedRunsOnAnIdleOne() throws InterruptedException {
        AtomicBoolean threadless = new AtomicBoolean();
        CallbackExecutor few = new CallbackExecutor(
                task -> {
                    if (threadless.get()) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    return new Thread(task);
                },
                4,
                2);
        CountDownLatch begun = new CountDownLatch(1);
        few.execute(() -> block(begun));
        assertThat(begun.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        threadless.set(true);
        CompletableFuture<String> ran = new CompletableFuture<>();
        few.execute(() -> ran.complete("ran"));
        few.execute(() -> {});
        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> few.execute(() -> {}));
        blocked.countDown();
        assertThat(ran).succeedsWithin(LONG);
        few.close();
    }

    @Test
    void aRejectedTaskDoesNotRunLater() {
        AtomicBoolean threadless = new AtomicBoolean(true);
        CallbackExecutor single = new CallbackExecutor(
                task -> {
                    if (threadless.get()) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    return new Thread(task);
                },
                1,
                2);
        List<String> ran = new CopyOnWriteArrayList<>();
        assertThatExceptionOfType(RejectedExecutionException.class)
                .isThrownBy(() -> single.execute(() -> ran.add("rejected")));
        threadless.set(false);
        single.execute(() -> ran.add("accepted"));
        await().atMost(LONG).until(() -> ran.contains("accepted"));
        single.close();
        assertThat(ran).containsExactly("accepted");
    }

    @Test
    void tasksThatBlockOrFailLeaveAThreadForOthers() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        executor.execute(() -> block(begun));
        assertThat(begun.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        CountDownLatch failing = new CountDownLatch(1);
        executor.execute(() -> {
            failing.countDown();
            throw new AssertionError("a callback that fails");
        });
        assertThat(failing.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        CompletableFuture<String> ran = new CompletableFuture<>();
        executor.execute(() -> ran.complete("ran"));
        assertThat(ran).succeedsWithin(LONG);
    }

    @Test
    void itRejectsTasksWhenTooManyWait() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(2);
        executor.execute(() -> block(begun));
        executor.execute(() -> block(begun));
        assertThat(begun.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        executor.execute(() -> {});
        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> executor.execute(() -> {}));
    }

    /** The first task comes while the idle thread ends, and the second before its successor has begun. */
    @Test
    void aSingleThreadThatEndsAndStartsAgainKeepsTheOrderOfItsTasks() {
        List<String> ran = new CopyOnWriteArrayList<>();
        EndOfThreadQueue queue = new EndOfThreadQueue();
        CallbackExecutor events =
                new CallbackExecutor(DaemonThreads.named("lock-events"), 1, Duration.ofMillis(1), queue);
        queue.onNextCheck(() -> events.execute(() -> ran.add("first")));
        queue.onNextCheck(() -> events.execute(() -> ran.add("second")));
        events.execute(() -> {});
        await().atMost(LONG).until(() -> ran.size() == 2);
        events.close();
        assertThat(ran).containsExactly("first", "second");
    }

    @Test
    void itRejectsTasksAfterClose() {
        executor.close();
        List<String> ran = new CopyOnWriteArrayList<>();
        assertThatExceptionOfType(RejectedExecutionException.class)
                .isThrownBy(() -> executor.execute(() -> ran.add("too late")));
        assertThat(ran).isEmpty();
    }

    @Test
    void theExecutorsOfAnEngineAreClosedWithIt() {
        EngineExecutors own = EngineExecutors.daemons();
        own.close();
        assertThat(List.of(own.async(), own.lossCallbacks(), own.events()))
                .allSatisfy(closed -> assertThatExceptionOfType(RejectedExecutionException.class)
                        .isThrownBy(() -> closed.execute(() -> {})));
    }

    private void block(CountDownLatch begun) {
        begun.countDown();
        try {
            blocked.await(LONG.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }
}
