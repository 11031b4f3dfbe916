package io.leasehold.autoconfigure.locker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.locker.DelegatingLocker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.transaction.support.TransactionTemplate;

@ExtendWith(OutputCaptureExtension.class)
class LeakDetectionTests {

    private static final String MESSAGE = "no code can release it any more";

    private static final Duration LIMIT = Duration.ofSeconds(50);

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory", "lock.leak-detection=true");

    @Test
    void aForgottenHandleIsReportedAndItsLockStaysHeld(CapturedOutput output) {
        run((locker, lockers) -> {
            forget(locker, "forgotten");

            awaitReport(output, "forgotten");
            assertThat(output).contains("of locker 'default'").contains("LeakDetectionTests.forget");
            assertThat(locker.tryLock(LockRequest.of("forgotten").withWaitTime(Duration.ZERO)))
                    .isEmpty();
        });
    }

    @Test
    void aKeyForgesNoLineOfTheLog(CapturedOutput output) {
        run((locker, lockers) -> {
            forget(locker, "42\nforged");

            awaitReport(output, "42\\u000aforged");
        });
    }

    @Test
    void aForgottenHandleOfAnAsynchronousAttemptIsReported(CapturedOutput output) {
        run((locker, lockers) -> {
            assertThat(locker.tryLockAsync(LockRequest.of("async"))
                            .toCompletableFuture()
                            .join())
                    .isPresent();

            awaitReport(output, "async");
        });
    }

    @Test
    void aReleasedHandleIsNotReported(CapturedOutput output) {
        run((locker, lockers) -> {
            locker.lock("released").close();
            locker.lock("released later").releaseAsync().toCompletableFuture().join();
            locker.executeLocked("executed", () -> {});
            forget(locker, "forgotten");

            awaitReport(output, "forgotten");
            assertThat(output.getAll().split(MESSAGE, -1)).hasSize(2);
        });
    }

    @Test
    void aHandleOfATransactionIsNotReported(CapturedOutput output) {
        DataSourceTransactionManager transactions = new DataSourceTransactionManager(
                new SimpleDriverDataSource(new org.h2.Driver(), "jdbc:h2:mem:leak-detection"));
        run((locker, lockers) -> new TransactionTemplate(transactions).executeWithoutResult(status -> {
            forget(locker, "of the transaction");
            forget(locker.withoutTransactions(), "forgotten");

            awaitReport(output, "forgotten");
            assertThat(output).doesNotContain("Lock 'of the transaction'");
        }));
    }

    /** The threads of the executor wait for other attempts, which the API permits. */
    @Test
    void aWaitForAnAttemptNeedsNoFurtherThreadOfTheExecutor() {
        run((locker, lockers) -> {
            int threads = Math.max(4, Runtime.getRuntime().availableProcessors());
            List<LockHandle> busy = new ArrayList<>();
            List<CompletableFuture<Void>> works = new ArrayList<>();
            CountDownLatch together = new CountDownLatch(threads);
            for (int i = 0; i < threads; i++) {
                int number = i;
                busy.add(locker.lock("a" + i));
                busy.add(locker.lock("b" + i));
                works.add(locker.tryLockAsync(LockRequest.of("a" + i).withWaitTime(LIMIT))
                        .thenAccept(outer -> {
                            together.countDown();
                            locker.tryLockAsync(LockRequest.of("b" + number).withWaitTime(LIMIT))
                                    .toCompletableFuture()
                                    .join()
                                    .orElseThrow()
                                    .close();
                        })
                        .toCompletableFuture());
            }
            for (int i = 0; i < threads; i++) {
                busy.get(2 * i).close();
            }
            await().atMost(LIMIT).until(() -> together.getCount() == 0);
            for (int i = 0; i < threads; i++) {
                busy.get(2 * i + 1).close();
            }
            assertThat(CompletableFuture.allOf(works.toArray(CompletableFuture[]::new)))
                    .succeedsWithin(LIMIT);
        });
    }

    @Test
    void aCallerThatCompletesAnAsynchronousAttemptGivesItUp() {
        run((locker, lockers) -> {
            try (LockHandle held = locker.lock("busy")) {
                CompletableFuture<Optional<LockHandle>> attempt = locker.tryLockAsync(
                                LockRequest.of("busy").withWaitTime(Duration.ofHours(1)))
                        .toCompletableFuture();
                await().atMost(LIMIT).until(() -> lockers.status("default").waiting() == 1);
                attempt.completeExceptionally(new TimeoutException());
                await().atMost(LIMIT).until(() -> lockers.status("default").waiting() == 0);
                held.requireHeld();
            }
        });
    }

    /** The lock is granted while its caller gives up. */
    @Test
    void aCallerThatHasGivenUpKeepsNoLockForItsMinimumHoldTime() {
        run((locker, lockers) -> {
            CompletableFuture<Optional<LockHandle>> answer = new CompletableFuture<>() {
                @Override
                public boolean cancel(boolean mayInterruptIfRunning) {
                    return false;
                }
            };
            Locker late = new DelegatingLocker(locker) {
                @Override
                public CompletionStage<Optional<LockHandle>> tryLockAsync(LockRequest request) {
                    return answer;
                }
            };
            LockRequest request = LockRequest.of("job").withMinHoldTime(Duration.ofMinutes(5));
            Optional<LockHandle> granted = locker.tryLock(request);
            new LeakDetection(true)
                    .around(late)
                    .tryLockAsync(request)
                    .toCompletableFuture()
                    .completeExceptionally(new TimeoutException());
            answer.complete(granted);
            await().atMost(LIMIT)
                    .until(() -> locker.tryLock(LockRequest.of("job").withWaitTime(Duration.ZERO))
                            .isPresent());
        });
    }

    private void run(BiConsumer<Locker, LockerRegistry> story) {
        runner.run(context -> story.accept(context.getBean(Locker.class), context.getBean(LockerRegistry.class)));
    }

    private static void forget(Locker locker, String key) {
        assertThat(locker.lock(key).isHeld()).isTrue();
    }

    private static void awaitReport(CapturedOutput output, String key) {
        await().atMost(LIMIT).untilAsserted(() -> {
            System.gc();
            assertThat(output).contains("Lock '" + key + "'").contains(MESSAGE);
        });
    }
}
