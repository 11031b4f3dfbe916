package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockHandle;
import io.leasehold.LockLostException;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.annotation.OnLost;
import io.r2dbc.h2.H2ConnectionConfiguration;
import io.r2dbc.h2.H2ConnectionFactory;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import kotlinx.coroutines.flow.Flow;
import kotlinx.coroutines.reactive.ReactiveFlowKt;
import kotlinx.coroutines.reactor.ReactorFlowKt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.reactive.GenericReactiveTransaction;
import org.springframework.transaction.reactive.TransactionContext;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** Locks and reactive transactions on a real database. */
@Timeout(60)
class LockAndReactiveTransactionTests {

    private static final Duration DEADLINE = Duration.ofSeconds(30);

    @Test
    void theLockIsHeldWhenTheTransactionOfTheMethodCommits() {
        run(app -> {
            List<Boolean> held = new CopyOnWriteArrayList<>();
            app.accounts
                    .pay("a", afterCompletion(() -> held.add(app.locker.isHeld("a"))))
                    .block(DEADLINE);
            assertThat(held).containsExactly(true);
            assertThat(app.locker.isHeld("a")).isFalse();
            assertThat(app.payments()).isEqualTo(1);
        });
    }

    @Test
    void aLockThatIsLostBeforeTheCommitRollsTheTransactionBack() {
        run(app -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.accounts.pay("a", app.lose("a")).block(DEADLINE));
            assertThat(app.payments()).isZero();
        });
    }

    @Test
    void aLockThatIsLostInTheLastMomentBeforeTheCommitRollsBackToo() {
        run(app -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.accounts
                            .pay("a", beforeCommit(() -> app.locker.lose("a")))
                            .block(DEADLINE));
            assertThat(app.payments()).isZero();
        });
    }

    @Test
    void aLockThatIsLostAfterAnInnerMethodOfTheTransactionRollsBackToo() {
        run(app -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.accounts
                            .pay(
                                    "a",
                                    app.payments.pay("a", Mono.empty()).then(beforeCommit(() -> app.locker.lose("a"))))
                            .block(DEADLINE));
            assertThat(app.payments()).isZero();
        });
    }

    @Test
    void theTransactionOfAFluxIsStoppedToo() {
        run(app -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.accounts
                            .payTwice("a", app.lose("a"))
                            .collectList()
                            .block(DEADLINE));
            assertThat(app.payments()).isZero();
        });
    }

    @Test
    void theTransactionOfAKotlinFlowIsStoppedToo() {
        run(app -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.accounts.payAsFlow("a", app.lose("a")).blockLast(DEADLINE));
            assertThat(app.payments()).isZero();
            app.accounts.payAsFlow("a", Mono.empty()).blockLast(DEADLINE);
            assertThat(app.payments()).isEqualTo(1);
        });
    }

    @Test
    void aTransactionDeepBelowTheLockIsStopped() {
        run(app -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.accounts.delegate("a", app.lose("a")).block(DEADLINE));
            assertThat(app.payments()).isZero();
        });
    }

    @Test
    void aTransactionThatCommitsWhateverIsThrownIsStoppedAllTheSame() {
        run(app -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(
                            () -> app.accounts.payStubbornly("a", app.lose("a")).block(DEADLINE));
            assertThat(app.payments()).isZero();
        });
    }

    @Test
    void aTransactionThatCommitsInSpiteOfItsOwnFailureIsStoppedToo() {
        run(app -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.accounts
                            .payStubbornly("a", app.lose("a").then(Mono.error(new IllegalStateException("body"))))
                            .block(DEADLINE));
            assertThat(app.payments()).isZero();
        });
    }

    @Test
    void aLossThatIsOnlyToldDoesNotStopTheCommit() {
        run(app -> {
            app.accounts.payTolerantly("a", app.lose("a")).block(DEADLINE);
            assertThat(app.payments()).isEqualTo(1);
        });
    }

    @Test
    void aTransactionThatOnlyReadsIsNotStoppedButTheCallFails() {
        run(app -> {
            List<Integer> ends = new CopyOnWriteArrayList<>();
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.accounts
                            .read("a", afterCompletion(ends).then(app.lose("a")))
                            .block(DEADLINE));
            assertThat(ends).containsExactly(TransactionSynchronization.STATUS_COMMITTED);
        });
    }

    @Test
    void aTransactionOfAnOperatorUnderTheLockIsStopped() {
        run(app -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.accounts
                            .under(
                                    "a",
                                    app.operator.transactional(
                                            app.accounts.insert("a").then(app.lose("a"))))
                            .block(DEADLINE));
            assertThat(app.payments()).isZero();
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.accounts
                            .under(
                                    "a",
                                    app.operator
                                            .execute(status ->
                                                    app.accounts.insert("a").then(app.lose("a")))
                                            .then())
                            .block(DEADLINE));
            assertThat(app.payments()).isZero();
        });
    }

    @Test
    void aTransactionUnderALockOfTheThreadIsStopped() {
        run(app -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.locker.executeLocked("a", () -> {
                        app.accounts.payUnlocked("a", app.lose("a")).block(DEADLINE);
                        return "";
                    }));
            assertThat(app.payments()).isZero();
        });
    }

    @Test
    void aTransactionOnAnotherThreadUnderAJoinedLockOfTheThreadIsStopped() {
        run(app -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.locker.executeLocked("a", () -> {
                        app.accounts.delegateLater("a", app.lose("a")).block(DEADLINE);
                        return "";
                    }));
            assertThat(app.payments()).isZero();
        });
    }

    @Test
    void withoutALockNothingIsStopped() {
        run(app -> {
            app.accounts.payUnlocked("a", Mono.empty()).block(DEADLINE);
            assertThat(app.payments()).isEqualTo(1);
        });
    }

    @Test
    void insideATransactionOfTheCallerTheLockIsKeptUntilItHasCommitted() {
        run(app -> {
            List<Boolean> held = new CopyOnWriteArrayList<>();
            app.operator
                    .transactional(app.accounts
                            .pay("a", Mono.empty())
                            .then(afterCommit(() -> held.add(app.locker.isHeld("a"))))
                            .then(Mono.fromRunnable(() -> held.add(app.locker.isHeld("a")))))
                    .block(DEADLINE);
            assertThat(held).containsExactly(true, true);
            await().until(() -> !app.locker.isHeld("a"));
            assertThat(app.locker.granted.get(0).releases()).isEqualTo(1);
            assertThat(app.payments()).isEqualTo(1);
        });
    }

    @Test
    void listenersOfTheEndOfTheCallersTransactionRunUnderTheLock() {
        run(app -> {
            List<Boolean> held = new CopyOnWriteArrayList<>();
            app.operator
                    .transactional(app.accounts
                            .pay("a", afterCompletion(() -> held.add(app.locker.isHeld("a"))))
                            .then(afterCompletion(() -> held.add(app.locker.isHeld("a")))))
                    .block(DEADLINE);
            assertThat(held).containsExactly(true, true);
            assertThat(app.locker.isHeld("a")).isFalse();
        });
    }

    @Test
    void listenersOfARollbackOfTheCallersTransactionRunUnderTheLock() {
        run(app -> {
            List<Boolean> held = new CopyOnWriteArrayList<>();
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> app.operator
                            .transactional(app.accounts
                                    .pay("a", afterCompletion(() -> held.add(app.locker.isHeld("a"))))
                                    .then(Mono.error(new IllegalStateException("of the caller"))))
                            .block(DEADLINE));
            assertThat(held).containsExactly(true);
            assertThat(app.locker.isHeld("a")).isFalse();
        });
    }

    @Test
    void insideATransactionOfTheCallerTheLockEndsWithItsRollback() {
        run(app -> {
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> app.operator
                            .transactional(app.accounts
                                    .pay("a", Mono.empty())
                                    .then(Mono.error(new IllegalStateException("of the caller"))))
                            .block(DEADLINE));
            await().until(() -> !app.locker.isHeld("a"));
            assertThat(app.payments()).isZero();
        });
    }

    @Test
    void theTransactionOfTheCallerIsStoppedIfTheLockIsLostAfterTheCall() {
        run(app -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.operator
                            .transactional(app.accounts.pay("a", Mono.empty()).then(app.lose("a")))
                            .block(DEADLINE));
            assertThat(app.payments()).isZero();
        });
    }

    @Test
    void theTransactionOfTheCallerIsStoppedIfTheLockIsLostInTheLastMoment() {
        run(app -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.operator
                            .transactional(
                                    app.accounts.pay("a", Mono.empty()).then(beforeCommit(() -> app.locker.lose("a"))))
                            .block(DEADLINE));
            assertThat(app.payments()).isZero();
        });
    }

    @Test
    void theTransactionOfTheCallerIsNotStoppedIfTheLossIsOnlyTold() {
        run(app -> {
            app.operator
                    .transactional(app.accounts.payTolerantly("a", Mono.empty()).then(app.lose("a")))
                    .block(DEADLINE);
            assertThat(app.payments()).isEqualTo(1);
        });
    }

    @Test
    void aSecondCallInTheSameTransactionJoinsTheLockThatItKeeps() {
        run(app -> {
            app.operator
                    .transactional(app.accounts.pay("a", Mono.empty()).then(app.accounts.pay("a", Mono.empty())))
                    .block(DEADLINE);
            assertThat(app.locker.requests).hasSize(1);
            assertThat(app.payments()).isEqualTo(2);
        });
    }

    @Test
    void aCallInANewTransactionJoinsTheLockThatTheSuspendedOneKeeps() {
        run(app -> {
            app.operator
                    .transactional(app.accounts
                            .under("a", Mono.empty())
                            .then(app.accounts.payInNewTransaction("a", Mono.empty())))
                    .block(DEADLINE);
            assertThat(app.locker.requests).hasSize(1);
            assertThat(app.payments()).isEqualTo(1);
            await().until(() -> !app.locker.isHeld("a"));
        });
    }

    @Test
    void aNewTransactionIsStoppedIfTheLockOfTheSuspendedOneIsLost() {
        run(app -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.operator
                            .transactional(app.accounts
                                    .under("a", Mono.empty())
                                    .then(app.accounts.payInNewTransaction("a", app.lose("a"))))
                            .block(DEADLINE));
            assertThat(app.payments()).isZero();
        });
    }

    @Test
    void aNewTransactionIsStoppedIfALockThatItJoinedIsLostAfterTheCall() {
        run(app -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.inNewTransactionUnder(
                                    app.accounts.under("a", Mono.empty()),
                                    app.accounts.under("a", Mono.empty()).then(app.lose("a")))
                            .block(DEADLINE));
            assertThat(app.locker.requests).hasSize(1);
            assertThat(app.payments()).isZero();
        });
    }

    @Test
    void aNewTransactionIsStoppedIfALockThatItJoinedIsLostInTheLastMoment() {
        run(app -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> app.inNewTransactionUnder(
                                    app.accounts.under("a", Mono.empty()),
                                    app.accounts
                                            .under("a", Mono.empty())
                                            .then(beforeCommit(() -> app.locker.lose("a"))))
                            .block(DEADLINE));
            assertThat(app.payments()).isZero();
        });
    }

    @Test
    void aNewTransactionIsNotStoppedIfTheLossOfTheLockThatItJoinedIsOnlyTold() {
        run(app -> {
            app.inNewTransactionUnder(
                            app.accounts.payTolerantly("a", Mono.empty()),
                            app.accounts.under("a", Mono.empty()).then(app.lose("a")))
                    .block(DEADLINE);
            assertThat(app.payments()).isEqualTo(2);
        });
    }

    @Test
    void aNewTransactionUnderALostLockIsStopped() {
        run(app -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() ->
                            app.accounts.payInNewTransaction("a", app.lose("a")).block(DEADLINE));
            assertThat(app.payments()).isZero();
        });
    }

    @Test
    void theNextTransactionTakesTheLockAnew() {
        run(app -> {
            for (int i = 0; i < 2; i++) {
                app.operator.transactional(app.accounts.pay("a", Mono.empty())).block(DEADLINE);
                await().until(() -> !app.locker.isHeld("a"));
            }
            assertThat(app.locker.requests).hasSize(2);
        });
    }

    @Test
    void aTransactionThatIsCancelledLeavesNoLock() {
        run(app -> {
            Disposable call = app.operator
                    .transactional(app.accounts.pay("a", Mono.never()))
                    .subscribeOn(Schedulers.parallel())
                    .subscribe();
            await().until(() -> app.locker.isHeld("a"));
            call.dispose();
            await().until(() -> !app.locker.isHeld("a"));
            await().untilAsserted(() -> assertThat(app.payments()).isZero());
        });
    }

    @Test
    void theLockOfAMonoThatIsCancelledDuringTheCommitIsHeldUntilItHasEnded() {
        run(app -> assertHeldUntilCommitted(app, app.accounts.pay("a", Mono.empty())));
    }

    @Test
    void theLockOfAFluxThatIsCancelledDuringTheCommitIsHeldUntilItHasEnded() {
        run(app -> assertHeldUntilCommitted(app, app.accounts.payTwice("a", Mono.empty())));
    }

    @Test
    void theLockOfASuspendedTransactionIsHeldUntilTheCommitOfANewOneHasEnded() {
        run(app -> assertHeldUntilCommitted(
                app, app.inNewTransactionUnder(app.accounts.under("a", Mono.empty()), Mono.empty())));
    }

    @Test
    void theLockOfASuspendedTransactionIsHeldUntilTheCommitInsideOfItsCallHasEnded() {
        run(app -> assertHeldUntilCommitted(
                app,
                app.operator.transactional(
                        app.accounts.under("a", app.payments.payInNewTransaction("a", Mono.empty())))));
    }

    @Test
    void theLockAroundASuspendedTransactionIsHeldUntilTheCommitOfANewOneHasEnded() {
        run(app -> assertHeldUntilCommitted(
                app, app.accounts.under("a", app.inNewTransactionUnder(Mono.empty(), Mono.empty()))));
    }

    @Test
    void theLockOfANewTransactionIsHeldUntilItsCommitHasEnded() {
        run(app -> assertHeldUntilCommitted(
                app, app.inNewTransactionUnder(Mono.empty(), app.accounts.under("a", Mono.empty()))));
    }

    @Test
    void aTransactionThatIsCancelledInsideOfANewOneLeavesNoLock() {
        run(app -> {
            List<Integer> statuses = new CopyOnWriteArrayList<>();
            app.commits.rollback = Mono.delay(Duration.ofMillis(50)).then();
            Disposable call = app.inNewTransactionUnder(
                            app.accounts.pay("a", afterCompletion(statuses)), app.accounts.pay("b", Mono.never()))
                    .subscribeOn(Schedulers.parallel())
                    .subscribe();
            await().until(() -> app.locker.isHeld("b"));
            call.dispose();
            await().until(() -> app.locker.heldCount() == 0);
            assertThat(statuses).containsExactly(TransactionSynchronization.STATUS_ROLLED_BACK);
            assertThat(app.payments()).isZero();
        });
    }

    /** Its connection comes late, for example because the pool is exhausted. */
    @Test
    void aTransactionThatIsCancelledWhileANewOneBeginsLeavesNoLock() {
        run(app -> {
            List<Integer> statuses = new CopyOnWriteArrayList<>();
            Sinks.Empty<Void> connection = Sinks.empty();
            AtomicBoolean beginning = new AtomicBoolean();
            Mono<Void> holdUpBegins = Mono.fromRunnable(
                    () -> app.commits.begin = connection.asMono().doOnSubscribe(subscribed -> beginning.set(true)));
            Disposable call = app.inNewTransactionUnder(
                            app.accounts.pay("a", afterCompletion(statuses)).then(holdUpBegins), Mono.empty())
                    .subscribeOn(Schedulers.parallel())
                    .subscribe();
            await().untilTrue(beginning);
            call.dispose();
            connection.tryEmitEmpty();
            await().until(() -> app.locker.heldCount() == 0);
            assertThat(statuses).containsExactly(TransactionSynchronization.STATUS_ROLLED_BACK);
            app.commits.begin = Mono.empty();
            assertThat(app.payments()).isZero();
        });
    }

    /** As on another thread, between the cancellation and its way to the publisher that begins. */
    @Test
    void noTransactionBeginsInsideOfOneThatIsCancelledBeforeItHasEnded() {
        run(app -> {
            AtomicReference<ContextView> inside = new AtomicReference<>();
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Mono<Void> payment = app.payments.payInNewTransaction("b", Mono.empty());
            Mono<Void> late = Mono.deferContextual(context -> Mono.<Void>never()
                    .doOnSubscribe(subscribed -> inside.set(context))
                    .doOnCancel(() -> payment.contextWrite(context).subscribe(value -> {}, failure::set)));
            Disposable call = app.operator
                    .transactional(app.accounts.under("a", Mono.empty()).then(late))
                    .subscribe();
            await().until(() -> inside.get() != null);
            call.dispose();
            await().until(() -> app.locker.heldCount() == 0);
            await().untilAsserted(() -> assertThat(failure.get()).isInstanceOf(CancellationException.class));
            assertThat(app.payments()).isZero();
            TransactionSynchronizationManager transaction =
                    new TransactionSynchronizationManager(inside.get().get(TransactionContext.class));
            await().until(() -> !transaction.hasResource(app.database.getConnectionFactory()));
            payment.contextWrite(inside.get()).block(DEADLINE);
            assertThat(app.payments()).isEqualTo(1);
        });
    }

    @Test
    void aTransactionThatIsCancelledInsideOfAPublisherOfAnotherTypeLeavesNoLock() {
        run(app -> {
            Disposable call = app.operator
                    .transactional(app.accounts
                            .under("a", Mono.empty())
                            .thenMany(app.payments.payAsPublisherInNewTransaction(
                                    "b", app.accounts.under("b", Mono.never()))))
                    .subscribeOn(Schedulers.parallel())
                    .subscribe();
            await().until(() -> app.locker.isHeld("b"));
            call.dispose();
            await().until(() -> app.locker.heldCount() == 0);
            assertThat(app.payments()).isZero();
        });
    }

    @Test
    void aTransactionThatGivesUpANewOneCommitsAfterIt() {
        run(app -> {
            Sinks.Empty<Void> commit = app.holdUpCommits();
            AtomicBoolean ended = new AtomicBoolean();
            app.operator
                    .transactional(app.accounts
                            .under("a", Mono.empty())
                            .then(app.payments.payInNewTransaction("a", Mono.empty()))
                            .takeUntilOther(app.beginOfCommit()))
                    .subscribe(value -> {}, failure -> {}, () -> ended.set(true));
            await().untilTrue(app.commits.begun);
            await().during(Duration.ofMillis(100)).until(() -> app.locker.isHeld("a"));
            assertThat(ended).isFalse();
            commit.tryEmitEmpty();
            await().untilTrue(ended);
            assertThat(app.locker.heldCount()).isZero();
            assertThat(app.payments()).isEqualTo(1);
        });
    }

    @Test
    void aTransactionCommitsAfterAMonoThatIsCancelledBeforeItsDemand() {
        run(app -> assertCommittedInSpiteOf(app, app.payments.pay("b", Mono.empty())));
    }

    @Test
    void aTransactionCommitsAfterAFluxThatIsCancelledBeforeItsDemand() {
        run(app -> assertCommittedInSpiteOf(app, app.payments.payTwice("b")));
    }

    /** Cancels as {@code zip} does if its other source is empty. The transaction of the publisher does not begin. */
    private static void assertCommittedInSpiteOf(App app, Publisher<?> cancelled) {
        Mono<Void> subscribed = Mono.deferContextual(context -> {
            cancelled.subscribe(new BaseSubscriber<Object>() {

                @Override
                public Context currentContext() {
                    return Context.of(context);
                }

                @Override
                protected void hookOnSubscribe(Subscription subscription) {
                    cancel();
                }
            });
            return Mono.empty();
        });
        app.operator
                .transactional(app.accounts
                        .under("a", Mono.empty())
                        .then(app.accounts.insert("a"))
                        .then(subscribed))
                .block(DEADLINE);
        assertThat(app.locker.heldCount()).isZero();
        assertThat(app.payments()).isEqualTo(1);
    }

    @Test
    void aCallbackThatFailsAfterTheCommitLeavesNoLock() {
        run(app -> assertReleasedAfterFailure(
                app, app.accounts.pay("a", afterCommit(LockAndReactiveTransactionTests::fail))));
    }

    @Test
    void aCallbackThatFailsAfterTheCommitOfAKotlinFlowLeavesNoLock() {
        run(app -> assertReleasedAfterFailure(
                app,
                app.accounts
                        .payAsFlow("a", afterCommit(LockAndReactiveTransactionTests::fail))
                        .then()));
    }

    @Test
    void aCallbackThatFailsAfterTheCommitOfTheCallersTransactionLeavesNoLock() {
        run(app -> assertReleasedAfterFailure(
                app,
                app.operator.transactional(app.accounts.pay("a", afterCommit(LockAndReactiveTransactionTests::fail)))));
    }

    @Test
    void aCallbackThatFailsAfterTheCommitOfANewTransactionLeavesNoLock() {
        run(app -> assertReleasedAfterFailure(
                app,
                app.inNewTransactionUnder(
                        Mono.empty(),
                        app.accounts
                                .under("a", Mono.empty())
                                .then(afterCommit(LockAndReactiveTransactionTests::fail)))));
    }

    @Test
    void aRollbackThatFailsAfterALossLeavesNoOtherLock() {
        run(app -> {
            app.commits.rollback = Mono.error(new IllegalStateException("of the rollback"));
            assertThatThrownBy(() -> app.accounts
                            .under("b", app.accounts.pay("a", app.lose("a")))
                            .block(DEADLINE))
                    .hasStackTraceContaining("of the rollback");
            await().until(() -> app.locker.heldCount() == 0);
        });
    }

    private static void assertReleasedAfterFailure(App app, Mono<Void> payment) {
        assertThatThrownBy(() -> payment.block(DEADLINE)).hasStackTraceContaining("of a callback");
        await().until(() -> !app.locker.isHeld("a"));
        assertThat(app.payments()).isEqualTo(1);
    }

    /** Cancels as a timeout does, or a client that disconnects. Nothing cancels a commit that has begun. */
    private static void assertHeldUntilCommitted(App app, Publisher<?> payment) {
        Sinks.Empty<Void> commit = app.holdUpCommits();
        Disposable call = Flux.from(payment).subscribe();
        await().untilTrue(app.commits.begun);
        call.dispose();
        assertThat(app.locker.isHeld("a")).isTrue();
        assertThat(app.payments()).isZero();
        commit.tryEmitEmpty();
        await().until(() -> !app.locker.isHeld("a"));
        assertThat(app.payments()).isEqualTo(1);
    }

    @Test
    void aLockWhoseBodyGivesUpACommitIsHeldUntilItHasEnded() {
        run(app -> {
            Sinks.Empty<Void> commit = app.holdUpCommits();
            Mono<Void> payment = app.operator.transactional(app.accounts.insert("a"));
            AtomicBoolean ended = new AtomicBoolean();
            app.accounts
                    .under("a", app.accounts.under("b", payment.takeUntilOther(app.beginOfCommit())))
                    .subscribe(value -> {}, failure -> {}, () -> ended.set(true));
            await().untilTrue(app.commits.begun);
            await().during(Duration.ofMillis(100)).until(() -> app.locker.isHeld("a") && app.locker.isHeld("b"));
            assertThat(ended).isFalse();
            commit.tryEmitEmpty();
            await().untilTrue(ended);
            assertThat(app.locker.heldCount()).isZero();
            assertThat(app.payments()).isEqualTo(1);
        });
    }

    /** The check of the inner method, the callback and the check of the outer one run in this order. */
    @Test
    void aSubscriberThatIsCancelledBetweenTwoChecksOfTheLockKeepsNoLock() {
        run(app -> {
            AtomicReference<Disposable> call = new AtomicReference<>();
            Mono<Void> cancel = beforeCommit(() -> await().until(() -> call.get() != null))
                    .then(beforeCommit(() -> call.get().dispose()));
            call.set(app.accounts
                    .pay("a", app.payments.pay("a", Mono.empty()).then(cancel))
                    .subscribeOn(Schedulers.boundedElastic())
                    .subscribe());
            await().until(() -> !app.locker.requests.isEmpty() && !app.locker.isHeld("a"));
            await().untilAsserted(() -> assertThat(app.payments()).isEqualTo(2));
        });
    }

    @Test
    void aTransactionWhoseSubscriberIsCancelledBeforeTheChecksOfTheLockRollsBack() {
        run(app -> assertRolledBackIfCancelledBeforeTheChecks(app, app.accounts::pay));
    }

    @Test
    void aTransactionWhoseSubscriberIsCancelledBeforeTheCommitRollsBackAlsoIfTheLossIsOnlyTold() {
        run(app -> assertRolledBackIfCancelledBeforeTheChecks(app, app.accounts::payTolerantly));
    }

    private static void assertRolledBackIfCancelledBeforeTheChecks(
            App app, BiFunction<String, Mono<Void>, Mono<Void>> payment) {
        AtomicReference<Disposable> call = new AtomicReference<>();
        List<Integer> statuses = new CopyOnWriteArrayList<>();
        Mono<Void> cancel = beforeCommit(() -> await().until(() -> call.get() != null))
                .then(beforeCommit(() -> call.get().dispose()));
        call.set(payment.apply("a", afterCompletion(statuses).then(cancel))
                .subscribeOn(Schedulers.boundedElastic())
                .subscribe());
        await().until(() -> !statuses.isEmpty());
        assertThat(statuses).containsExactly(TransactionSynchronization.STATUS_ROLLED_BACK);
        assertThat(app.payments()).isZero();
        await().until(() -> !app.locker.isHeld("a"));
    }

    @Test
    void aTransactionThatAMethodJoinsEndsAfterTheMethod() {
        run(app -> {
            app.operator
                    .transactional(app.accounts
                            .under("a", app.payments.pay("a", Mono.empty()))
                            .then(app.accounts.under("a", app.payments.pay("a", Mono.empty()))))
                    .block(DEADLINE);
            assertThat(app.locker.requests).hasSize(1);
            assertThat(app.locker.isHeld("a")).isFalse();
            assertThat(app.payments()).isEqualTo(2);
        });
    }

    /** Without a transaction, the scope of the outer method ends after the lock. */
    @Test
    void aMethodThatSupportsTransactionsRunsUnderALockInsideOfAnotherOne() {
        run(app -> {
            app.payments
                    .payWithoutTransaction(app.accounts.under("a", app.payments.payWithOrWithoutTransaction("a")))
                    .block(DEADLINE);
            assertThat(app.locker.isHeld("a")).isFalse();
            assertThat(app.payments()).isEqualTo(1);
        });
    }

    @Test
    void aMethodThatRunsWhileTheTransactionIsSuspendedEndsBeforeIt() {
        run(app -> {
            app.operator
                    .transactional(app.payments.payWithoutTransaction(
                            app.accounts.under("a", app.payments.pay("a", Mono.empty()))))
                    .block(DEADLINE);
            assertThat(app.locker.isHeld("a")).isFalse();
            assertThat(app.payments()).isEqualTo(1);
        });
    }

    /** Spring reads the callbacks of the end before it stops to accept more of them. */
    @Test
    void aLockThatIsGrantedWhileItsTransactionEndsIsReleased() {
        run(app -> {
            app.locker.pending = new CompletableFuture<>();
            AtomicBoolean started = new AtomicBoolean();
            Mono<Void> body = Mono.<Void>never().doOnSubscribe(subscribed -> started.set(true));
            Mono<Void> leftBehind = Mono.deferContextual(context -> {
                app.accounts.under("a", body).contextWrite(context).subscribe();
                return Mono.empty();
            });
            Mono<Void> grantAtEnd = register(new AtEnd(() -> {
                app.locker.pending.complete(Optional.of(app.locker.grant("a")));
                await().untilTrue(started);
            }));
            app.operator
                    .transactional(leftBehind.then(grantAtEnd).then(afterCompletion(() -> {})))
                    .block(DEADLINE);
            assertThat(started).isTrue();
            await().until(() -> !app.locker.isHeld("a"));
        });
    }

    @Test
    void callsForOneKeyThatRunTogetherJoinTheLockOfTheirTransaction() {
        run(app -> {
            ExecutorService store = Executors.newFixedThreadPool(8);
            try {
                app.locker.answering = store;
                for (int round = 0; round < 20; round++) {
                    app.locker.requests.clear();
                    app.operator
                            .transactional(Flux.range(0, 64).flatMap(i -> app.accounts.under("a", Mono.empty()), 64))
                            .blockLast(DEADLINE);
                    assertThat(app.locker.requestedKeys()).containsExactly("a");
                    await().untilAsserted(
                                    () -> assertThat(app.locker.heldCount()).isZero());
                }
            } finally {
                store.shutdown();
            }
        });
    }

    @Test
    void callsOfLockersWithTheSameLocksThatRunTogetherJoinTheLockOfTheirTransaction() {
        runner().withAllowBeanDefinitionOverriding(true)
                .withUserConfiguration(SameLocks.class)
                .run(context -> {
                    App app = new App(context);
                    RecordingLocker billing = context.getBean("billingLocker", RecordingLocker.class);
                    app.locker.pending = new CompletableFuture<>();
                    CompletableFuture<Void> done = app.operator
                            .transactional(Mono.when(app.accounts.under("a", Mono.empty()), app.accounts.bill("a")))
                            .toFuture();
                    await().until(() -> app.locker.requests.size() == 1);
                    app.locker.pending.complete(Optional.of(app.locker.grant("a")));
                    assertThat(done).succeedsWithin(DEADLINE);
                    assertThat(billing.requests).isEmpty();
                    assertThat(app.locker.heldCount()).isZero();
                });
    }

    @Test
    void aCallWhoseTurnHasNotComeCanBeCancelled() {
        run(app -> {
            app.locker.pending = new CompletableFuture<>();
            Mono<Void> first = app.accounts.under("a", Mono.empty());
            Mono<Void> second = app.accounts.under("a", Mono.empty());
            CompletableFuture<Void> done = app.operator
                    .transactional(Mono.when(
                            first, second.timeout(Duration.ofMillis(1)).onErrorComplete()))
                    .toFuture();
            await().until(() -> app.locker.requests.size() == 1);
            app.locker.pending.complete(Optional.of(app.locker.grant("a")));
            assertThat(done).succeedsWithin(DEADLINE);
            assertThat(app.locker.heldCount()).isZero();
        });
    }

    /** The lock that the first call acquires stays with the transaction, which would wait for itself. */
    @Test
    void aCallAfterACancelledOneWaitsForTheTurnOfTheFirst() {
        run(app -> {
            app.locker.pending = new CompletableFuture<>();
            CountDownLatch cancelled = new CountDownLatch(1);
            Mono<Void> second = app.accounts
                    .under("a", Mono.empty())
                    .timeout(Duration.ofMillis(1))
                    .onErrorResume(
                            ex -> app.accounts.under("a", Mono.empty()).doOnSubscribe(third -> cancelled.countDown()));
            CompletableFuture<Void> done = app.operator
                    .transactional(Mono.when(app.accounts.under("a", Mono.empty()), second))
                    .toFuture();
            await().until(() -> cancelled.getCount() == 0 && !app.locker.requests.isEmpty());
            app.locker.pending.complete(Optional.of(app.locker.grant("a")));
            assertThat(done).succeedsWithin(DEADLINE);
            assertThat(app.locker.requestedKeys()).containsExactly("a");
            assertThat(app.locker.heldCount()).isZero();
        });
    }

    /** As with a timeout, which may cancel on another thread than the one that has got the lock. */
    @Test
    void aCallThatIsCancelledWhileItsLockIsBoundLeavesTheLockToTheTransaction() {
        run(app -> {
            app.locker.pending = new CompletableFuture<>();
            Mono<Void> cancelled = Mono.deferContextual(context -> {
                TransactionContext transaction = context.get(TransactionContext.class);
                Disposable call = app.accounts
                        .under("a", Mono.never())
                        .contextWrite(context)
                        .subscribe();
                // the lock is bound in this monitor
                synchronized (transaction) {
                    app.locker.pending.complete(Optional.of(app.locker.grant("a")));
                    await().until(() -> Thread.getAllStackTraces().keySet().stream()
                            .anyMatch(thread -> isBlockedIn(thread, "takeOver")));
                    call.dispose();
                }
                return Mono.empty();
            });
            List<Boolean> held = new CopyOnWriteArrayList<>();
            app.operator
                    .transactional(app.accounts
                            .insert("a")
                            .then(cancelled)
                            .then(afterCommit(() -> held.add(app.locker.isHeld("a")))))
                    .block(DEADLINE);
            assertThat(held).containsExactly(true);
            assertThat(app.payments()).isEqualTo(1);
            await().until(() -> !app.locker.isHeld("a"));
        });
    }

    private static boolean isBlockedIn(Thread thread, String method) {
        return thread.getState() == Thread.State.BLOCKED
                && Stream.of(thread.getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().equals(method));
    }

    /** The locks of a transaction may be granted at the same moment, on several threads. */
    @Test
    void locksThatAreGrantedTogetherEndWithTheirTransaction() {
        run(app -> {
            ExecutorService store = Executors.newFixedThreadPool(8);
            try {
                app.locker.answering = store;
                for (int round = 0; round < 50; round++) {
                    app.operator
                            .transactional(
                                    Flux.range(0, 64).flatMap(i -> app.accounts.under("a" + i, Mono.empty()), 64))
                            .blockLast(DEADLINE);
                    await().untilAsserted(
                                    () -> assertThat(app.locker.heldCount()).isZero());
                }
            } finally {
                store.shutdown();
            }
        });
    }

    /** The transaction calls the method with its own subscription, after the call of the proxy has returned. */
    @Test
    void theMethodReceivesItsHandleInsideOfTheTransaction() {
        run(app -> {
            for (int call = 0; call < 2; call++) {
                Long token = app.accounts.token("a", null).block(DEADLINE);
                assertThat(app.locker.granted.get(call).fencingToken()).isEqualTo(token);
            }
            assertThat(app.accounts.tokens("b", null).collectList().block(DEADLINE))
                    .containsExactly(app.locker.granted.get(2).fencingToken());
        });
    }

    @Test
    void eachSubscriptionReceivesTheHandleOfItsOwnLock() {
        run(app -> {
            Mono<Long> token = app.accounts.token("a", null);
            List<Long> tokens = token.concatWith(token).collectList().block(DEADLINE);
            assertThat(tokens)
                    .containsExactlyElementsOf(app.locker.granted.stream()
                            .map(LockHandle::fencingToken)
                            .toList())
                    .hasSize(2);
        });
    }

    private static void run(Story story) {
        runner().run(context -> story.run(new App(context)));
    }

    private static ApplicationContextRunner runner() {
        return LockedContext.with(Transactions.class, Beans.class);
    }

    private static Mono<Void> beforeCommit(Runnable action) {
        return register(new TransactionSynchronization() {
            @Override
            public Mono<Void> beforeCommit(boolean readOnly) {
                return Mono.fromRunnable(action);
            }
        });
    }

    private static Mono<Void> afterCommit(Runnable action) {
        return register(new TransactionSynchronization() {
            @Override
            public Mono<Void> afterCommit() {
                return Mono.fromRunnable(action);
            }
        });
    }

    private static void fail() {
        throw new IllegalStateException("of a callback");
    }

    private static Mono<Void> afterCompletion(Runnable action) {
        return register(new TransactionSynchronization() {
            @Override
            public Mono<Void> afterCompletion(int status) {
                return Mono.fromRunnable(action);
            }
        });
    }

    private static Mono<Void> afterCompletion(List<Integer> statuses) {
        return register(new TransactionSynchronization() {
            @Override
            public Mono<Void> afterCompletion(int status) {
                return Mono.fromRunnable(() -> statuses.add(status));
            }
        });
    }

    private static Mono<Void> register(TransactionSynchronization synchronization) {
        return TransactionSynchronizationManager.forCurrentTransaction()
                .doOnNext(transaction -> transaction.registerSynchronization(synchronization))
                .then();
    }

    /** Runs an action when Spring sorts the callbacks that it will call after the completion. */
    private static final class AtEnd implements TransactionSynchronization, Ordered {

        private final AtomicReference<Runnable> action;

        AtEnd(Runnable action) {
            this.action = new AtomicReference<>(action);
        }

        @Override
        public int getOrder() {
            Runnable once = isBeforeTheEnd() ? action.getAndSet(null) : null;
            if (once != null) {
                once.run();
            }
            return 0;
        }

        private static boolean isBeforeTheEnd() {
            return StackWalker.getInstance()
                    .walk(frames ->
                            frames.anyMatch(frame -> frame.getMethodName().equals("triggerAfterCompletion")));
        }
    }

    interface Story {
        void run(App app) throws Exception;
    }

    static final class App {

        private final Accounts accounts;

        private final RecordingLocker locker;

        private final TransactionalOperator operator;

        private final DatabaseClient database;

        private final Payments payments;

        private final SlowCommits commits;

        App(AssertableApplicationContext context) {
            this.accounts = context.getBean(Accounts.class);
            this.locker = context.getBean("defaultLocker", RecordingLocker.class);
            this.operator = context.getBean(TransactionalOperator.class);
            this.database = context.getBean(DatabaseClient.class);
            this.payments = context.getBean(Payments.class);
            this.commits = context.getBean(SlowCommits.class);
        }

        /** Commits begin, and end only when the result is completed. */
        Sinks.Empty<Void> holdUpCommits() {
            Sinks.Empty<Void> end = Sinks.empty();
            commits.end = end.asMono();
            return end;
        }

        Mono<Void> beginOfCommit() {
            return Mono.fromRunnable(() -> await().untilTrue(commits.begun))
                    .subscribeOn(Schedulers.boundedElastic())
                    .then();
        }

        Mono<Void> lose(String key) {
            return Mono.fromRunnable(() -> locker.lose(key));
        }

        /** A transaction with a payment inside of another one. */
        Mono<Void> inNewTransactionUnder(Mono<Void> outer, Mono<Void> inner) {
            return operator.transactional(outer.then(payments.payInNewTransaction("a", inner)));
        }

        long payments() {
            return Objects.requireNonNull(database.sql("select count(*) from payment")
                    .mapValue(Long.class)
                    .one()
                    .block(DEADLINE));
        }
    }

    static class Accounts {

        private final DatabaseClient database;

        private final Payments payments;

        Accounts(DatabaseClient database, Payments payments) {
            this.database = database;
            this.payments = payments;
        }

        @DistributedLock("#account")
        @Transactional
        public Mono<Void> pay(String account, Mono<Void> then) {
            return insert(account).then(then);
        }

        @DistributedLock("#account")
        @Transactional
        public Flux<Long> payTwice(String account, Mono<Void> then) {
            return insert(account).thenMany(Flux.just(1L, 2L)).concatWith(then.then(Mono.empty()));
        }

        @DistributedLock("#account")
        public Mono<Void> delegate(String account, Mono<Void> then) {
            return Mono.delay(Duration.ofMillis(1)).then(payments.pay(account, then));
        }

        @DistributedLock("#account")
        public Mono<Void> delegateLater(String account, Mono<Void> then) {
            return Mono.delay(Duration.ofMillis(1)).flatMap(any -> payments.pay(account, then));
        }

        @DistributedLock("#account")
        public Flux<Long> payAsFlow(String account, Mono<Void> then) {
            return ReactorFlowKt.asFlux(payments.payAsFlow(account, then));
        }

        @DistributedLock("#account")
        public Mono<Void> under(String account, Mono<Void> then) {
            return then;
        }

        @DistributedLock(key = "#account", locker = "billing")
        public Mono<Void> bill(String account) {
            return Mono.empty();
        }

        @DistributedLock("#account")
        @Transactional(noRollbackFor = RuntimeException.class)
        public Mono<Void> payStubbornly(String account, Mono<Void> then) {
            return insert(account).then(then);
        }

        @DistributedLock("#account")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public Mono<Void> payInNewTransaction(String account, Mono<Void> then) {
            return insert(account).then(then);
        }

        @DistributedLock("#account")
        @Transactional
        public Mono<Long> token(String account, LockHandle lock) {
            return Mono.just(lock.fencingToken());
        }

        @DistributedLock("#account")
        @Transactional
        public Flux<Long> tokens(String account, LockHandle lock) {
            return Flux.just(lock.fencingToken());
        }

        @DistributedLock(key = "#account", onLost = OnLost.EVENT)
        @Transactional
        public Mono<Void> payTolerantly(String account, Mono<Void> then) {
            return insert(account).then(then);
        }

        @DistributedLock("#account")
        @Transactional(readOnly = true)
        public Mono<Void> read(String account, Mono<Void> then) {
            return then;
        }

        @Transactional
        public Mono<Void> payUnlocked(String account, Mono<Void> then) {
            return insert(account).then(then);
        }

        Mono<Void> insert(String account) {
            return database.sql("insert into payment (account) values (:account)")
                    .bind("account", account)
                    .then();
        }
    }

    static class Payments {

        private final DatabaseClient database;

        Payments(DatabaseClient database) {
            this.database = database;
        }

        @Transactional
        public Mono<Void> pay(String account, Mono<Void> then) {
            return database.sql("insert into payment (account) values (:account)")
                    .bind("account", account)
                    .then()
                    .then(then);
        }

        @Transactional
        public Flux<Long> payTwice(String account) {
            return pay(account, Mono.empty()).thenMany(Flux.just(1L, 2L));
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public Mono<Void> payInNewTransaction(String account, Mono<Void> then) {
            return pay(account, then);
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public Publisher<Void> payAsPublisherInNewTransaction(String account, Mono<Void> then) {
            return subscriber -> pay(account, then).subscribe(subscriber);
        }

        @Transactional
        public Flow<Long> payAsFlow(String account, Mono<Void> then) {
            return ReactiveFlowKt.asFlow(
                    pay(account, Mono.delay(Duration.ofMillis(1)).then(then)).thenReturn(1L));
        }

        @Transactional(propagation = Propagation.SUPPORTS)
        public Mono<Void> payWithOrWithoutTransaction(String account) {
            return pay(account, Mono.empty());
        }

        @Transactional(propagation = Propagation.NOT_SUPPORTED)
        public Mono<Void> payWithoutTransaction(Mono<Void> payment) {
            return payment;
        }
    }

    /** A database that needs time for its commits and rollbacks. */
    static final class SlowCommits extends R2dbcTransactionManager {

        private static final long serialVersionUID = 1L;

        private final transient AtomicBoolean begun = new AtomicBoolean();

        private transient volatile Mono<Void> begin = Mono.empty();

        private transient volatile Mono<Void> end = Mono.empty();

        private transient volatile Mono<Void> rollback = Mono.empty();

        SlowCommits(ConnectionFactory connections) {
            super(connections);
        }

        @Override
        protected Mono<Void> doBegin(
                TransactionSynchronizationManager synchronizations,
                Object transaction,
                TransactionDefinition definition) {
            return Mono.defer(() -> begin.then(super.doBegin(synchronizations, transaction, definition)));
        }

        @Override
        protected Mono<Void> doCommit(
                TransactionSynchronizationManager synchronizations, GenericReactiveTransaction transaction) {
            return Mono.defer(() -> {
                begun.set(true);
                return end.then(super.doCommit(synchronizations, transaction));
            });
        }

        @Override
        protected Mono<Void> doRollback(
                TransactionSynchronizationManager synchronizations, GenericReactiveTransaction transaction) {
            return Mono.defer(() -> rollback.then(super.doRollback(synchronizations, transaction)));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class Transactions {}

    /** The lockers of an application with the same namespace and store. */
    @Configuration(proxyBeanMethods = false)
    static class SameLocks {

        @Bean
        RecordingLocker billingLocker(@Qualifier("defaultLocker") RecordingLocker other) {
            return new RecordingLocker("billing", other);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Beans {

        @Bean
        ConnectionFactory connectionFactory() {
            return new H2ConnectionFactory(H2ConnectionConfiguration.builder()
                    .inMemory("locks-" + UUID.randomUUID())
                    .property("DB_CLOSE_DELAY", "-1")
                    .build());
        }

        @Bean
        R2dbcTransactionManager transactionManager(ConnectionFactory connections) {
            return new SlowCommits(connections);
        }

        @Bean
        TransactionalOperator transactionalOperator(ReactiveTransactionManager manager) {
            return TransactionalOperator.create(manager);
        }

        @Bean
        DatabaseClient databaseClient(ConnectionFactory connections) {
            DatabaseClient client = DatabaseClient.create(connections);
            client.sql("create table payment (account varchar(40))").then().block(DEADLINE);
            return client;
        }

        @Bean
        Payments payments(DatabaseClient database) {
            return new Payments(database);
        }

        @Bean
        Accounts accounts(DatabaseClient database, Payments payments) {
            return new Accounts(database, payments);
        }
    }
}
