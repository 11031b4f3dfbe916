package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.LockLostException;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.LockerRegistry;
import io.leasehold.LossReason;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.annotation.LockKeyType;
import io.leasehold.annotation.OnFailure;
import io.leasehold.annotation.OnLost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

/** Annotated methods of every kind on the real engine. */
@Timeout(60)
class AnnotatedMethodsTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
            .withPropertyValues(
                    "lock.backend=memory", "lock.defaults.wait-time=20s", "lock.defaults.command-timeout=100ms")
            .withBean(Work.class);

    @Test
    void bodiesDoNotOverlapAndTheirFencingTokensRise() {
        runner.run(context -> {
            Work work = context.getBean(Work.class);
            ExecutorService threads = Executors.newFixedThreadPool(8);
            try {
                List<Future<?>> calls = new ArrayList<>();
                for (int i = 0; i < 400; i++) {
                    calls.add(threads.submit(() -> work.enter(null)));
                }
                for (Future<?> call : calls) {
                    call.get(30, TimeUnit.SECONDS);
                }
            } finally {
                threads.shutdownNow();
            }
            assertThat(work.overlaps()).hasValue(0);
            assertThat(work.fences()).hasSize(400).isSorted().doesNotHaveDuplicates();
        });
    }

    @Test
    void aTypeThatIsDeclaredAsABeanIsAKey() {
        runner.withBean("ticketKeys", LockKeyType.class, () -> new LockKeyType<>(Ticket.class, Ticket::code))
                .withBean(Tickets.class)
                .run(context -> assertThat(context.getBean(Tickets.class).key(new Ticket("t1")))
                        .isEqualTo("ticket-t1"));
    }

    @Test
    void aCallThatWouldHaveToWaitIsSkipped() {
        runner.run(context -> {
            Work work = context.getBean(Work.class);
            assertThat(work.skipping(() -> onAnotherThread(() -> work.skipping(() -> "second"))))
                    .contains(Optional.empty());
        });
    }

    @Test
    void aBodyThatExceedsItsTimeIsInterruptedAndToldWhy() {
        runner.run(context -> {
            Work work = context.getBean(Work.class);
            assertThatExceptionOfType(InterruptedException.class)
                    .isThrownBy(work::hang)
                    .satisfies(ex -> assertThat(ex.getSuppressed())
                            .singleElement()
                            .isInstanceOfSatisfying(
                                    LockLostException.class,
                                    loss -> assertThat(loss.reason()).isEqualTo(LossReason.MAX_HOLD_TIME)));
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    }

    @Test
    void aSecondSubscriberWaitsForTheFirstWithoutAThread() {
        runner.run(context -> {
            Work work = context.getBean(Work.class);
            Sinks.One<String> first = Sinks.one();
            Disposable holder = work.reactive(first.asMono()).subscribe();
            StepVerifier.create(work.reactive(Mono.just("second")))
                    .then(() -> Awaitility.await().until(() -> waiting(context.getBean(LockerRegistry.class)) == 1))
                    .then(() -> first.tryEmitValue("first"))
                    .expectNext("second")
                    .verifyComplete();
            holder.dispose();
            assertThat(held(context.getBean(LockerRegistry.class))).isZero();
        });
    }

    @Test
    void aCancelledSubscriberLeavesTheLine() {
        runner.run(context -> {
            Work work = context.getBean(Work.class);
            LockerRegistry lockers = context.getBean(LockerRegistry.class);
            Disposable holder = work.reactive(Mono.never()).subscribe();
            Disposable waiter = work.reactive(Mono.never()).subscribe();
            Awaitility.await().until(() -> waiting(lockers) == 1);
            waiter.dispose();
            Awaitility.await().until(() -> waiting(lockers) == 0);
            holder.dispose();
            Awaitility.await().until(() -> held(lockers) == 0);
        });
    }

    @Test
    void manySubscribersTakeTurns() {
        runner.run(context -> {
            Work work = context.getBean(Work.class);
            StepVerifier.create(Flux.range(0, 200)
                            .flatMap(i -> work.reactive(work.enterAndLeave()), 50)
                            .count())
                    .expectNext(200L)
                    .verifyComplete();
            assertThat(work.overlaps()).hasValue(0);
            assertThat(held(context.getBean(LockerRegistry.class))).isZero();
        });
    }

    @Test
    void futuresTakeTurns() {
        runner.run(context -> {
            Work work = context.getBean(Work.class);
            List<CompletableFuture<String>> calls = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                calls.add(work.future());
            }
            CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
            assertThat(work.overlaps()).hasValue(0);
            assertThat(held(context.getBean(LockerRegistry.class))).isZero();
        });
    }

    @Test
    void aCallThatWaitsInVainFails() {
        runner.run(context -> {
            Work work = context.getBean(Work.class);
            assertThatExceptionOfType(LockNotAcquiredException.class)
                    .isThrownBy(() -> work.impatient(() -> onAnotherThread(() -> work.impatient(() -> "second"))));
        });
    }

    private static int waiting(LockerRegistry lockers) {
        return lockers.status("default").waiting();
    }

    private static int held(LockerRegistry lockers) {
        return lockers.status("default").held().size();
    }

    private static <T> T onAnotherThread(Callable<T> call) throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            return thread.submit(call).get(20, TimeUnit.SECONDS);
        } catch (ExecutionException ex) {
            throw (Exception) ex.getCause();
        } finally {
            thread.shutdownNow();
        }
    }

    static class Work {

        private final AtomicInteger inside = new AtomicInteger();

        private final AtomicInteger overlaps = new AtomicInteger();

        private final List<Long> fences = Collections.synchronizedList(new ArrayList<>());

        @DistributedLock("'work'")
        public void enter(LockHandle handle) {
            enter();
            fences.add(handle.fencingToken());
            leave();
        }

        @DistributedLock(key = "'work'", waitTime = "0", onFailure = OnFailure.SKIP)
        public <T> Optional<T> skipping(Callable<T> body) throws Exception {
            return Optional.of(body.call());
        }

        @DistributedLock(key = "'work'", waitTime = "50ms")
        public <T> T impatient(Callable<T> body) throws Exception {
            return body.call();
        }

        @DistributedLock(key = "'work'", ttl = "1s", maxHoldTime = "1s", onLost = OnLost.INTERRUPT)
        public void hang() throws InterruptedException {
            new CountDownLatch(1).await(40, TimeUnit.SECONDS);
        }

        @DistributedLock("'work'")
        public <T> Mono<T> reactive(Mono<T> body) {
            return body;
        }

        @DistributedLock("'work'")
        public CompletableFuture<String> future() {
            enter();
            return CompletableFuture.supplyAsync(
                    () -> {
                        leave();
                        return "done";
                    },
                    CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS));
        }

        Mono<String> enterAndLeave() {
            return Mono.fromRunnable(this::enter)
                    .then(Mono.delay(Duration.ofMillis(1)))
                    .then(Mono.fromRunnable(this::leave))
                    .thenReturn("done");
        }

        AtomicInteger overlaps() {
            return overlaps;
        }

        List<Long> fences() {
            return fences;
        }

        private void enter() {
            if (inside.incrementAndGet() > 1) {
                overlaps.incrementAndGet();
            }
        }

        private void leave() {
            inside.decrementAndGet();
        }
    }

    record Ticket(String code) {}

    static class Tickets {

        @DistributedLock("'ticket-' + #p0")
        public String key(Ticket ticket) {
            return LockContext.current().orElseThrow().key();
        }
    }
}
