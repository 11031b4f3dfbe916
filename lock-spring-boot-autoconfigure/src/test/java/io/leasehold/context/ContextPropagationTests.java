package io.leasehold.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.Locker;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.aop.FakeTransactions;
import io.leasehold.autoconfigure.LockAspectAutoConfiguration;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.MDC;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.Exceptions;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Micrometer's context propagation carries locks and fencing tokens to other threads. */
@Timeout(60)
class ContextPropagationTests {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory", "lock.defaults.wait-time=0s")
            .withBean(Work.class);

    @Test
    void aSnapshotShowsTheLocksOnAnotherThreadAndLeavesNothingThere() {
        runner.run(context -> {
            Executor other = Executors.newSingleThreadExecutor();
            Found found = context.getBean(Work.class).blocking("7", () -> {
                ContextSnapshot snapshot =
                        ContextSnapshotFactory.builder().build().captureAll();
                CompletableFuture<Found> there = new CompletableFuture<>();
                other.execute(snapshot.wrap(() -> {
                    there.complete(Found.here());
                }));
                return there.join();
            });
            assertThat(found.key()).isEqualTo("7");
            assertThat(found.token()).isEqualTo(found.mdc()).isNotNull();
            assertThat(CompletableFuture.supplyAsync(Found::here, other))
                    .succeedsWithin(LONG)
                    .isEqualTo(Found.NOTHING);
        });
    }

    @Test
    void anotherThreadDoesNotJoinALockThatMayEndBeforeItDoes() {
        runner.run(context -> {
            Locker locker = context.getBean(Locker.class);
            SimpleAsyncTaskExecutor tasks = new SimpleAsyncTaskExecutor();
            tasks.setTaskDecorator(new ContextPropagatingTaskDecorator());
            locker.executeLocked("7", () -> {
                ContextSnapshot snapshot =
                        ContextSnapshotFactory.builder().build().captureAll();
                Callable<String> again = () -> locker.executeLocked("7", () -> "joined");
                assertThat(snapshot.wrap(again).call()).isEqualTo("joined");
                CompletableFuture<String> elsewhere = new CompletableFuture<>();
                tasks.execute(() -> {
                    try {
                        elsewhere.complete(locker.executeLocked("7", () -> "joined"));
                    } catch (Exception ex) {
                        elsewhere.complete(ex.getClass().getSimpleName());
                    }
                });
                assertThat(elsewhere).succeedsWithin(LONG).isEqualTo("LockNotAcquiredException");
                return null;
            });
        });
    }

    @Test
    void aTransactionOfAnotherThreadCommitsAfterTheCarriedLockWasReleased() {
        runner.withBean(FakeTransactions.class).run(context -> {
            TransactionTemplate transaction = new TransactionTemplate(context.getBean(FakeTransactions.class));
            ContextSnapshot snapshot = context.getBean(Locker.class)
                    .executeLocked(
                            "7", () -> ContextSnapshotFactory.builder().build().captureAll());
            Callable<String> commit =
                    snapshot.wrap((Callable<String>) () -> transaction.execute(status -> "committed"));
            FutureTask<String> task = new FutureTask<>(commit);
            new Thread(task).start();
            assertThat(task).succeedsWithin(LONG).isEqualTo("committed");
        });
    }

    @Test
    void automaticPropagationOfReactorCarriesThemThroughOperators() {
        Hooks.enableAutomaticContextPropagation();
        try {
            runner.run(context -> {
                Found found = context.getBean(Work.class).reactive("7").block();
                assertThat(found).isNotNull();
                assertThat(found.key()).isEqualTo("7");
                assertThat(found.token()).isEqualTo(found.mdc()).isNotNull();
                assertThat(Found.here()).isEqualTo(Found.NOTHING);
            });
        } finally {
            Hooks.disableAutomaticContextPropagation();
        }
    }

    @Test
    void theInnermostOfSeveralLocksIsTheSameInOperatorsAsInBlockingCalls() {
        Hooks.enableAutomaticContextPropagation();
        try {
            runner.run(context -> {
                Work work = context.getBean(Work.class);
                Found found = work.reactive(List.of("7", "8")).block();
                assertThat(found).isNotNull();
                assertThat(found.key())
                        .isEqualTo(work.blocking(List.of("7", "8"), Found::here).key())
                        .isEqualTo("8");
            });
        } finally {
            Hooks.disableAutomaticContextPropagation();
        }
    }

    /** The caller waits for the operators on its own thread, and may be gone before those on another one. */
    @Test
    void anOperatorJoinsTheLockOfTheCallerOnTheThreadOfTheCallerOnly() {
        Hooks.enableAutomaticContextPropagation();
        try {
            runner.run(context -> {
                Locker locker = context.getBean(Locker.class);
                Work work = context.getBean(Work.class);
                Callable<String> again = () -> locker.executeLocked("7", () -> "joined");
                locker.executeLocked("7", () -> {
                    assertThat(work.callable("7", again, Schedulers.immediate()).block())
                            .isEqualTo("joined");
                    assertThatExceptionOfType(LockNotAcquiredException.class)
                            .isThrownBy(() -> work.callable("7", again, Schedulers.boundedElastic())
                                    .block());
                    return null;
                });
            });
        } finally {
            Hooks.disableAutomaticContextPropagation();
        }
    }

    @Test
    void applicationsThatStartAndStopRegisterNothing() {
        List<?> before = List.copyOf(ContextRegistry.getInstance().getThreadLocalAccessors());
        runner.run(context -> assertThat(context).hasNotFailed());
        assertThat(ContextRegistry.getInstance().getThreadLocalAccessors()).hasSameSizeAs(before);
        assertThat(ContextRegistry.getInstance().getThreadLocalAccessors())
                .filteredOn(
                        accessor -> accessor instanceof LockContextAccessor || accessor instanceof FencingTokenAccessor)
                .hasSize(2);
    }

    @Test
    void theExecutorThatContinuesAsynchronousMethodsCanBeNamed() {
        runner.withBean("one", Executor.class, () -> new SimpleAsyncTaskExecutor("one-"))
                .withBean("two", Executor.class, () -> new SimpleAsyncTaskExecutor("two-"))
                .withPropertyValues("lock.aspect.executor=two")
                .run(context -> {
                    LockHandle held = context.getBean(Locker.class).lock("7");
                    CompletableFuture<String> thread =
                            context.getBean(Work.class).stage("7");
                    assertThat(thread).isNotDone();
                    held.release();
                    assertThat(thread).succeedsWithin(LONG).asString().startsWith("two-");
                });
    }

    record Found(
            @Nullable String key,
            @Nullable String token,
            @Nullable String mdc) {

        static final Found NOTHING = new Found(null, null, null);

        static Found here() {
            Optional<LockHandle> current = LockContext.current();
            return new Found(
                    current.map(LockHandle::key).orElse(null),
                    current.map(handle -> Long.toString(handle.fencingToken())).orElse(null),
                    MDC.get(FencingTokenAccessor.KEY));
        }
    }

    static class Work {

        @DistributedLock(key = "#key")
        Found blocking(String key, Supplier<Found> body) {
            return body.get();
        }

        @DistributedLock(key = "#keys")
        Found blocking(List<String> keys, Supplier<Found> body) {
            return body.get();
        }

        @DistributedLock(key = "#keys")
        Mono<Found> reactive(List<String> keys) {
            return Mono.just(keys).publishOn(Schedulers.parallel()).map(any -> Found.here());
        }

        @DistributedLock(key = "#key")
        Mono<Found> reactive(String key) {
            return Mono.just(key).publishOn(Schedulers.parallel()).map(any -> Found.here());
        }

        @DistributedLock(key = "#key")
        Mono<String> callable(String key, Callable<String> body, Scheduler scheduler) {
            return Mono.just(key).publishOn(scheduler).mapNotNull(any -> {
                try {
                    return body.call();
                } catch (Exception ex) {
                    throw Exceptions.propagate(ex);
                }
            });
        }

        @DistributedLock(key = "#key", waitTime = "30s")
        CompletableFuture<String> stage(String key) {
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }
    }
}
