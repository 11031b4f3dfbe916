package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.Locker;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.annotation.OnFailure;
import io.leasehold.aop.FakeTransactions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;

/** The recipes of docs/scheduling.md for listeners of a transaction. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class TransactionalListenerTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
            .withUserConfiguration(Transactions.class)
            .withBean(Listeners.class)
            .withPropertyValues("lock.backend=memory");

    @Test
    void aListenerAfterTheCommitHasItsLockUntilItReturns() {
        runner.run(context -> {
            commit(context, new Shipped("7"));
            assertThat(received(context)).containsExactly("7 under [7]");
            assertThat(context.getBean(Locker.class).tryLock("7")).isPresent();
        });
    }

    @Test
    void aListenerThatIsSkippedAfterTheCommitWritesNoErrorLine(CapturedOutput output) {
        runner.run(context -> {
            try (LockHandle elsewhere = context.getBean(Locker.class).lock("7")) {
                commit(context, new Shipped("7"));
                assertThat(elsewhere.isHeld()).isTrue();
            }
            assertThat(received(context)).isEmpty();
            assertThat(outcomes(context)).containsExactly("committed");
            assertThat(output).doesNotContain("ERROR").doesNotContain("Exception");
        });
    }

    /** Spring logs what such a listener throws; the event is lost. */
    @Test
    void aListenerThatThrowsAfterTheCommitDoesNotReachTheCaller(CapturedOutput output) {
        runner.run(context -> {
            try (LockHandle elsewhere = context.getBean(Locker.class).lock("7")) {
                commit(context, new Paid("7"));
                assertThat(elsewhere.isHeld()).isTrue();
            }
            assertThat(outcomes(context)).containsExactly("committed");
            assertThat(output).contains("ERROR").contains("LockNotAcquiredException");
        });
    }

    @Test
    void aListenerThatThrowsBeforeTheCommitPreventsIt() {
        runner.run(context -> {
            try (LockHandle elsewhere = context.getBean(Locker.class).lock("7")) {
                assertThatThrownBy(() -> commit(context, new Ordered("7")))
                        .isInstanceOf(LockNotAcquiredException.class);
                assertThat(elsewhere.isHeld()).isTrue();
            }
            assertThat(outcomes(context)).containsExactly("rolled back");
        });
    }

    private static void commit(ApplicationContext context, Object event) {
        new TransactionTemplate(context.getBean(FakeTransactions.class))
                .executeWithoutResult(status -> context.publishEvent(event));
    }

    private static List<String> received(ApplicationContext context) {
        return context.getBean(Listeners.class).received();
    }

    private static List<String> outcomes(ApplicationContext context) {
        return context.getBean(FakeTransactions.class).outcomes();
    }

    record Shipped(String order) {}

    record Paid(String order) {}

    record Ordered(String order) {}

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class Transactions {

        @Bean
        FakeTransactions transactions() {
            return new FakeTransactions();
        }
    }

    static class Listeners {

        private final List<String> received = new CopyOnWriteArrayList<>();

        @TransactionalEventListener
        @DistributedLock(key = "#event.order", waitTime = "0", onFailure = OnFailure.SKIP)
        public void receive(Shipped event) {
            received.add(event.order() + " under "
                    + LockContext.all().stream().map(LockHandle::key).toList());
        }

        @TransactionalEventListener
        @DistributedLock(key = "#event.order", waitTime = "0")
        public void receive(Paid event) {
            received.add(event.order());
        }

        @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
        @DistributedLock(key = "#event.order", waitTime = "0")
        public void receive(Ordered event) {
            received.add(event.order());
        }

        public List<String> received() {
            return received;
        }
    }
}
