package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.leasehold.LossReason;
import io.leasehold.testsupport.QuietLog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The threads that run what an application wants done, when a lock is lost or when its answer is there. */
class EngineThreadsTests {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final QuietLog quiet = new QuietLog("io.leasehold.engine");

    private final LossCallbacks callbacks = new LossCallbacks();

    private final Continuations continuations = new Continuations();

    @AfterEach
    void close() {
        callbacks.close();
        continuations.close();
        quiet.close();
    }

    @Test
    void callbacksRunOnDaemonThreadsOfTheirOwn() {
        CompletableFuture<Thread> ran = new CompletableFuture<>();
        callbacks.run(reason -> ran.complete(Thread.currentThread()), LossReason.EXPIRED);
        assertThat(ran).succeedsWithin(LONG).satisfies(thread -> {
            assertThat(thread.getName()).isEqualTo("lock-callback");
            assertThat(thread.isDaemon()).isTrue();
        });
    }

    @Test
    void callbacksThatBlockOrFailLeaveAThreadForOthers() throws InterruptedException {
        CountDownLatch blocked = new CountDownLatch(1);
        IntStream.range(0, 3).forEach(i -> callbacks.run(reason -> waitFor(blocked), LossReason.EXPIRED));
        callbacks.run(
                reason -> {
                    throw new AssertionError("a callback that fails");
                },
                LossReason.EXPIRED);
        CountDownLatch told = new CountDownLatch(1);
        callbacks.run(reason -> told.countDown(), LossReason.EXPIRED);
        assertThat(told.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        blocked.countDown();
    }

    @Test
    void afterACloseCallbacksDoNotRunAndNothingIsThrown() {
        callbacks.close();
        List<LossReason> told = new CopyOnWriteArrayList<>();
        assertThatCode(() -> callbacks.run(told::add, LossReason.SHUTDOWN)).doesNotThrowAnyException();
        assertThat(told).isEmpty();
    }

    @Test
    void continuationsRunOnDaemonThreadsOfTheirOwn() {
        CompletableFuture<Thread> ran = new CompletableFuture<>();
        continuations.execute(() -> ran.complete(Thread.currentThread()));
        assertThat(ran).succeedsWithin(LONG).satisfies(thread -> {
            assertThat(thread.getName()).isEqualTo("lock-async");
            assertThat(thread.isDaemon()).isTrue();
        });
    }

    @Test
    void afterACloseContinuationsDoNotRunAndNothingIsThrown() {
        continuations.close();
        List<String> ran = new CopyOnWriteArrayList<>();
        assertThatCode(() -> continuations.execute(() -> ran.add("too late"))).doesNotThrowAnyException();
        assertThat(ran).isEmpty();
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await(LONG.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }
}
