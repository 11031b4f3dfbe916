package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Locker;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.jpa.Account;
import io.leasehold.jpa.JpaDatabase;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.annotation.Transactional;

/**
 * F61 with JPA, which sends what was changed only when the transaction commits: a lock that ends before lets the next
 * holder read the old value, even though the method that changed it has long gone on.
 */
@Timeout(60)
class JpaLostUpdateTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class, LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory", "lock.defaults.wait-time=30s")
            .withUserConfiguration(JpaDatabase.class, Beans.class);

    @Test
    void aLockInsideThatTakesNoPartInTheTransactionLosesAnUpdate() {
        runner.run(context -> assertThat(amountAfterTwoCalls(context.getBean(Counter.class), Counter::addLockedInside))
                .isEqualTo(1));
    }

    @Test
    void theLockOfTheAnnotationLosesNone() {
        runner.run(context -> assertThat(amountAfterTwoCalls(context.getBean(Counter.class), Counter::addLocked))
                .isEqualTo(2));
    }

    private static int amountAfterTwoCalls(Counter counter, Call call) throws Exception {
        CountDownLatch firstHasChanged = new CountDownLatch(1);
        CountDownLatch secondHasRead = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<?> first = threads.submit(() -> call.add(counter, () -> {}, () -> {
                firstHasChanged.countDown();
                // a wait for what must not happen: only the lock in the wrong place lets it happen
                await(secondHasRead, 2_000);
            }));
            assertThat(firstHasChanged.await(20, TimeUnit.SECONDS)).isTrue();
            Future<?> second = threads.submit(() -> call.add(counter, secondHasRead::countDown, () -> {}));
            first.get(20, TimeUnit.SECONDS);
            second.get(20, TimeUnit.SECONDS);
            return counter.amount();
        } finally {
            threads.shutdownNow();
        }
    }

    private static void await(CountDownLatch latch, long millis) {
        try {
            latch.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException ex) {
            throw new IllegalStateException(ex);
        }
    }

    interface Call {

        void add(Counter counter, Runnable afterRead, Runnable beforeCommit);
    }

    static class Counter {

        @PersistenceContext
        private EntityManager entities;

        private final Locker locker;

        Counter(Locker locker) {
            this.locker = locker;
        }

        @Transactional
        @DistributedLock(key = "'it'")
        public void addLocked(Runnable afterRead, Runnable beforeCommit) {
            increment(afterRead);
            beforeCommit.run();
        }

        @Transactional
        public void addLockedInside(Runnable afterRead, Runnable beforeCommit) {
            try {
                locker.withoutTransactions().executeLocked("it", () -> {
                    increment(afterRead);
                    return "";
                });
            } catch (Exception ex) {
                throw new IllegalStateException(ex);
            }
            beforeCommit.run();
        }

        @Transactional(readOnly = true)
        public int amount() {
            return entities.find(Account.class, "it").amount();
        }

        private void increment(Runnable afterRead) {
            Account account = entities.find(Account.class, "it");
            afterRead.run();
            account.add(1);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Beans {

        @Bean
        Counter counter(Locker locker) {
            return new Counter(locker);
        }
    }
}
