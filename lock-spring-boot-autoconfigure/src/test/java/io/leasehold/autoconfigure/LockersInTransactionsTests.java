package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_REQUIRED;

import io.leasehold.LockLostException;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.aop.FakeTransactions;
import io.leasehold.engine.LockEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.support.TransactionTemplate;

/** The lockers of an application take part in its transactions. */
class LockersInTransactionsTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory");

    private final TransactionTemplate transaction = new FakeTransactions().template(PROPAGATION_REQUIRED);

    @Test
    void aLockThatIsTakenInATransactionEndsWithIt() {
        runner.run(context -> {
            Locker locker = context.getBean(Locker.class);
            List<Boolean> free = new ArrayList<>();
            transaction.executeWithoutResult(status -> {
                locker.lock("closed").close();
                execute(locker, "executed");
                execute(context.getBean(LockerRegistry.class).get("default"), "by name");
                free.add(isFree(locker, "closed"));
                free.add(isFree(locker, "executed"));
                free.add(isFree(locker, "by name"));
            });
            assertThat(free).containsExactly(false, false, false);
            assertThat(isFree(locker, "closed")).isTrue();
            assertThat(isFree(locker, "executed")).isTrue();
            assertThat(isFree(locker, "by name")).isTrue();
        });
    }

    @Test
    void annotatedMethodsAndLockersJoinEachOther() {
        runner.withBean(Work.class).run(context -> {
            Locker locker = context.getBean(Locker.class);
            Work work = context.getBean(Work.class);
            transaction.executeWithoutResult(status -> {
                locker.lock("a").close();
                work.run("a");
                work.run("b");
                assertThat(locker.tryLock("b")).isPresent();
                assertThat(isFree(locker, "a")).isFalse();
                assertThat(isFree(locker, "b")).isFalse();
            });
            assertThat(isFree(locker, "a")).isTrue();
            assertThat(isFree(locker, "b")).isTrue();
        });
    }

    /** The aspect has no part in the check. */
    @Test
    void aLossPreventsTheCommitAlsoWithoutTheAspect() {
        requireRolledBackAfterLoss(runner.withPropertyValues("lock.aspect.enabled=false"));
        requireRolledBackAfterLoss(new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
                .withPropertyValues("lock.backend=memory"));
    }

    private static void requireRolledBackAfterLoss(ApplicationContextRunner runner) {
        runner.withBean(FakeTransactions.class).run(context -> {
            FakeTransactions transactions = context.getBean(FakeTransactions.class);
            LockEngine engine = context.getBean("leaseholdEngine", LockEngine.class);
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> context.getBean(Locker.class)
                            .executeLocked(
                                    "a",
                                    () -> transactions
                                            .template(PROPAGATION_REQUIRED)
                                            .executeWithoutResult(status -> engine.shutdown(Duration.ZERO))));
            assertThat(transactions.outcomes()).containsExactly("rolled back");
        });
    }

    /** Whether a thread outside of the transaction gets the lock. */
    private static boolean isFree(Locker locker, String key) {
        return CompletableFuture.supplyAsync(() -> {
                    var taken = locker.tryLock(key);
                    taken.ifPresent(handle -> handle.release());
                    return taken.isPresent();
                })
                .join();
    }

    private static void execute(Locker locker, String key) {
        try {
            locker.executeLocked(key, () -> key);
        } catch (Exception ex) {
            throw new IllegalStateException(ex);
        }
    }

    static class Work {

        @DistributedLock("#key")
        public void run(String key) {}
    }
}
