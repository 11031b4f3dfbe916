package io.leasehold.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.ForcedRelease;
import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.testsupport.EndOfThreadQueue;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The thread that publishes application events. */
@ExtendWith(OutputCaptureExtension.class)
class LockEventPublisherTests {

    /** The first event comes while the idle thread ends, and the second before its successor has begun. */
    @Test
    void aThreadThatEndsAndStartsAgainKeepsTheOrderOfTheEvents() {
        List<String> published = new CopyOnWriteArrayList<>();
        EndOfThreadQueue queue = new EndOfThreadQueue();
        try (LockEventPublisher publisher = new LockEventPublisher(
                event ->
                        published.add(((LockForceReleasedEvent) event).release().key()),
                Set.of(LockEventType.FORCE_RELEASED),
                Duration.ofMillis(1),
                queue)) {
            queue.onNextCheck(() -> publish(publisher, "first"));
            queue.onNextCheck(() -> publish(publisher, "second"));
            publish(publisher, "before");
            await().atMost(Duration.ofSeconds(30)).until(() -> published.size() == 3);
        }
        assertThat(published).containsExactly("before", "first", "second");
    }

    /** Otherwise its thread ends, and only the handler of uncaught exceptions receives it. */
    @Test
    void anErrorOfAListenerDoesNotEndTheThread() {
        List<Thread> threads = new CopyOnWriteArrayList<>();
        try (LockEventPublisher publisher = new LockEventPublisher(
                event -> {
                    threads.add(Thread.currentThread());
                    throw new AssertionError("planted");
                },
                Set.of(LockEventType.FORCE_RELEASED),
                Duration.ofMinutes(1),
                new LinkedBlockingQueue<>())) {
            publish(publisher, "first");
            publish(publisher, "second");
            await().atMost(Duration.ofSeconds(30)).until(() -> threads.size() == 2);
        }
        assertThat(threads.get(1)).isSameAs(threads.get(0));
    }

    @Test
    void theLineAboutAListenerThatFailsHasNoControlCharactersOfTheKey(CapturedOutput output) {
        try (LockEventPublisher publisher = new LockEventPublisher(
                event -> {
                    throw new IllegalStateException("planted");
                },
                Set.of(LockEventType.FORCE_RELEASED))) {
            publish(publisher, "42\nforged");
        }
        assertThat(output).contains("key=42\\u000aforged, ");
    }

    /** They may be losses of locks. */
    @Test
    void eventsThatTheEndDropsAreLogged(CapturedOutput output) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        LockEventPublisher publisher = new LockEventPublisher(
                event -> {
                    begun.countDown();
                    LockSupport.park();
                },
                Set.of(LockEventType.FORCE_RELEASED),
                Duration.ofMinutes(1),
                new LinkedBlockingQueue<>());
        publish(publisher, "first");
        begun.await();
        publish(publisher, "second");
        publish(publisher, "third");
        publisher.close();
        assertThat(output).contains("2 events about locks were dropped");
    }

    private static void publish(LockEventPublisher publisher, String key) {
        publisher.forceReleased(new ForcedRelease("deploy", key, 1, Outcome.FREE, null, "a test"));
    }
}
