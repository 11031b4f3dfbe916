package io.leasehold.contract;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.Token;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests with many concurrent callers. */
public interface ConcurrencyContract extends StoreUnderTest {

    @Test
    default void exactlyOneOfManyIsGrantedTheLock() {
        for (int round = 0; round < 5; round++) {
            requireOneGrant(store().id("race-" + round), 40);
        }
    }

    @Test
    default void aFreedLockIsGrantedToExactlyOneOfMany() {
        Held held = store().grant("a");
        store().release(held);
        requireOneGrant(held.id(), 20);
    }

    /** The entry of an expired lease may still be in the store, which then replaces it instead of creating one. */
    @Test
    default void anExpiredLockIsGrantedToExactlyOneOfMany() {
        List<LockId> ids =
                IntStream.range(0, 10).mapToObj(i -> store().id("expired-" + i)).toList();
        ids.forEach(id -> store().grant(id, shortTtl()));
        passShortTtl();
        ids.forEach(id -> requireOneGrant(id, 20));
    }

    /** Of callers of two processes at the same time. */
    private void requireOneGrant(LockId id, int callers) {
        List<CompletableFuture<AcquireAnswer>> answers = IntStream.range(0, callers)
                .mapToObj(i -> i % 2 == 0 ? store() : otherProcess())
                .map(client -> client.backend()
                        .acquire(new AcquireCommand(id, client.token(), LONG, 1, false))
                        .toCompletableFuture())
                .toList();
        assertThat(answers.stream().map(StoreClient::await).filter(Granted.class::isInstance))
                .hasSize(1);
    }

    /**
     * A renewal or a release that compares the token in one step and writes in another ends or replaces the lease of the
     * next holder.
     */
    @Test
    default void lateCommandsOfAHolderDoNotChangeTheLeaseOfTheNextOne() {
        for (int round = 0; round < 30; round++) {
            Held held = store().grantSoon("a");
            RenewCommand renewal = new RenewCommand(held.id(), held.token(), LONG.multipliedBy(2));
            List<CompletableFuture<?>> late = new ArrayList<>();
            List<Token> others = new ArrayList<>();
            List<CompletableFuture<AcquireAnswer>> answers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                StoreClient sender = i % 2 == 0 ? store() : otherProcess();
                late.add(sender.backend().renew(List.of(renewal)).toCompletableFuture());
                late.add(sender.backend()
                        .release(new ReleaseCommand(held.id(), held.token()))
                        .toCompletableFuture());
                Token other = otherProcess().token();
                others.add(other);
                answers.add(otherProcess()
                        .backend()
                        .acquire(new AcquireCommand(held.id(), other, LONG, 1, false))
                        .toCompletableFuture());
            }
            late.forEach(StoreClient::await);
            List<Token> next = IntStream.range(0, others.size())
                    .filter(i -> StoreClient.await(answers.get(i)) instanceof Granted)
                    .mapToObj(others::get)
                    .toList();
            assertThat(next).as("round %d", round).hasSizeLessThanOrEqualTo(1);
            for (Token token : next) {
                assertThat(otherProcess().renew(new RenewCommand(held.id(), token, LONG)))
                        .as("round %d", round)
                        .isEqualTo(RenewAnswer.RENEWED);
                otherProcess().release(held.id(), token, Duration.ZERO);
            }
        }
    }

    /** A client may refuse calls from the thread on which it delivers answers, and a store may hold a lock meanwhile. */
    @Test
    default void theNextCommandMayBeSentWhereAnAnswerArrives() {
        LockId id = store().id("a");
        Token token = store().token();
        LockBackend backend = store().backend();
        AcquireAnswer again = StoreClient.await(backend.acquire(new AcquireCommand(id, token, LONG, 1, false))
                .thenCompose(granted -> backend.renew(List.of(new RenewCommand(id, token, LONG))))
                .thenCompose(renewed -> backend.release(new ReleaseCommand(id, token)))
                .thenCompose(released -> backend.acquire(new AcquireCommand(id, token, LONG, 1, false))));
        assertThat(again).isInstanceOf(Granted.class);
    }

    /** A call that blocks its thread fails there, or loses the interrupt. */
    @Test
    default void aCallerMayBeInterrupted() {
        LockId id = store().id("a");
        Token token = store().token();
        LockBackend backend = store().backend();
        Thread.currentThread().interrupt();
        CompletionStage<AcquireAnswer> acquired;
        boolean stillInterrupted;
        try {
            acquired = backend.acquire(new AcquireCommand(id, token, LONG, 1, false));
        } finally {
            stillInterrupted = Thread.interrupted();
        }
        assertThat(stillInterrupted).as("the interrupt of the caller").isTrue();
        assertThat(StoreClient.await(acquired)).isInstanceOf(Granted.class);
        assertThat(store().release(id, token, Duration.ZERO)).isEqualTo(ReleaseAnswer.RELEASED);
    }

    @Test
    default void theSameCommandSentManyTimesConcurrentlyIsOneGrant() {
        AcquireCommand command = new AcquireCommand(store().id("a"), store().token(), LONG, 5, false);
        List<Long> fences = IntStream.range(0, 10)
                .mapToObj(i -> (i % 2 == 0 ? store() : otherProcess()).backend().acquire(command))
                .toList()
                .stream()
                .map(stage -> ((Granted) StoreClient.await(stage)).firstFence())
                .distinct()
                .toList();
        if (concurrentRepeatsAgree()) {
            assertThat(fences).hasSize(1);
        }
        assertThat(store().release(command.id(), command.token(), Duration.ZERO))
                .isEqualTo(ReleaseAnswer.RELEASED);
        assertThat(store().grant("a").firstFence()).isGreaterThanOrEqualTo(Collections.max(fences) + 5);
    }

    @Test
    default void operationsOnManyKeysRunConcurrently() {
        List<CompletableFuture<AcquireAnswer>> answers = IntStream.range(0, 200)
                .mapToObj(i -> store().backend()
                        .acquire(new AcquireCommand(store().id("p-" + i), store().token(), LONG, 1, false))
                        .toCompletableFuture())
                .toList();
        assertThat(answers.stream().map(StoreClient::await)).allMatch(Granted.class::isInstance);
    }

    @Test
    default void aCounterWithoutAtomicityLosesNothing() throws Exception {
        UnsafeCounter counter = new UnsafeCounter();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                StoreClient client = i % 2 == 0 ? store() : otherProcess();
                workers.add(threads.submit(() -> {
                    for (int n = 0; n < 25; n++) {
                        Held held = RetryingCaller.lock(client, client.id("counter"));
                        counter.increment(held.firstFence());
                        client.release(held);
                    }
                }));
            }
            for (Future<?> worker : workers) {
                worker.get(60, SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(counter.value()).isEqualTo(200);
        assertThat(counter.fences()).isSorted().doesNotHaveDuplicates();
    }

    @Test
    default void cancellingAStageDoesNotDisturbOthers() {
        LockId id = store().id("a");
        List<Token> cancelled = new ArrayList<>();
        List<CompletableFuture<AcquireAnswer>> others = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Token token = store().token();
            cancelled.add(token);
            store().backend()
                    .acquire(new AcquireCommand(id, token, LONG, 1, false))
                    .toCompletableFuture()
                    .cancel(true);
            others.add(store().backend()
                    .acquire(new AcquireCommand(store().id("other-" + i), store().token(), LONG, 1, false))
                    .toCompletableFuture());
        }
        assertThat(others.stream().map(StoreClient::await)).allMatch(Granted.class::isInstance);
        await().pollInterval(Duration.ofMillis(10)).atMost(awaitTimeout()).until(() -> {
            cancelled.forEach(token -> store().release(id, token, Duration.ZERO));
            return otherProcess().acquire(id, store().token(), LONG) instanceof Granted;
        });
    }

    @Test
    default void cancellingAReleaseDoesNotDisturbTheStore() {
        Held held = store().grant("a");
        store().backend()
                .release(new ReleaseCommand(held.id(), held.token()))
                .toCompletableFuture()
                .cancel(true);
        await().pollInterval(Duration.ofMillis(10)).atMost(awaitTimeout()).until(() -> {
            store().release(held);
            return otherProcess().acquire(held.id(), store().token(), LONG) instanceof Granted;
        });
    }
}
