package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Locker;
import io.leasehold.annotation.DistributedLock;
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
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/**
 * Two callers add one to the same counter in transactions of their own, and the first is slow to commit. A lock that
 * ends before the commit lets the second one read the old value; the lock of the annotation does not.
 */
@Timeout(60)
class LostUpdateTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class, LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory", "lock.defaults.wait-time=20s")
            .withUserConfiguration(Database.class);

    @Test
    void aLockInsideThatTakesNoPartInTheTransactionLosesAnUpdate() {
        runner.run(context -> assertThat(countAfterTwoCalls(
                        context.getBean(Counter.class), context.getBean(Counter.class)::addLockedInside))
                .isEqualTo(1));
    }

    @Test
    void theLockOfTheAnnotationLosesNone() {
        runner.run(context -> assertThat(
                        countAfterTwoCalls(context.getBean(Counter.class), context.getBean(Counter.class)::addLocked))
                .isEqualTo(2));
    }

    @Test
    void theLockOfTheAnnotationLosesNoneInsideATransactionOfTheCaller() {
        runner.run(context -> {
            Caller caller = context.getBean(Caller.class);
            assertThat(countAfterTwoCalls(context.getBean(Counter.class), caller::add))
                    .isEqualTo(2);
        });
    }

    private static int countAfterTwoCalls(Counter counter, Call call) throws Exception {
        CountDownLatch firstHasWritten = new CountDownLatch(1);
        CountDownLatch secondHasRead = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<?> first = threads.submit(() -> call.add(() -> {}, () -> {
                firstHasWritten.countDown();
                // a wait for what must not happen: only the lock in the wrong place lets it happen
                await(secondHasRead, 500);
            }));
            assertThat(firstHasWritten.await(20, TimeUnit.SECONDS)).isTrue();
            Future<?> second = threads.submit(() -> call.add(secondHasRead::countDown, () -> {}));
            first.get(20, TimeUnit.SECONDS);
            second.get(20, TimeUnit.SECONDS);
            return counter.read();
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

        void add(Runnable afterRead, Runnable beforeCommit);
    }

    static class Counter {

        private final JdbcClient jdbc;

        private final Locker locker;

        Counter(JdbcClient jdbc, Locker locker) {
            this.jdbc = jdbc;
            this.locker = locker;
        }

        @Transactional
        @DistributedLock(key = "'counter'")
        public void addLocked(Runnable afterRead, Runnable beforeCommit) {
            increment(afterRead);
            beforeCommit.run();
        }

        @Transactional
        public void addLockedInside(Runnable afterRead, Runnable beforeCommit) {
            try {
                locker.withoutTransactions().executeLocked("counter", () -> {
                    increment(afterRead);
                    return "";
                });
            } catch (Exception ex) {
                throw new IllegalStateException(ex);
            }
            beforeCommit.run();
        }

        private void increment(Runnable afterRead) {
            int read = read();
            afterRead.run();
            jdbc.sql("update counter set n = ?").param(read + 1).update();
        }

        int read() {
            return jdbc.sql("select n from counter").query(Integer.class).single();
        }
    }

    static class Caller {

        private final Counter counter;

        Caller(Counter counter) {
            this.counter = counter;
        }

        @Transactional
        public void add(Runnable afterRead, Runnable beforeCommit) {
            counter.addLocked(afterRead, () -> {});
            beforeCommit.run();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class Database extends JdbcDatabase {

        Database() {
            super("create table counter (n int)", "insert into counter values (0)");
        }

        @Bean
        Counter counter(JdbcClient jdbcClient, Locker locker) {
            return new Counter(jdbcClient, locker);
        }

        @Bean
        Caller caller(Counter counter) {
            return new Caller(counter);
        }
    }
}
